import { Windows } from '../support/host/window.js';

export async function inWindows<T>(measured: (windows: Windows) => Promise<T>): Promise<T> {
  const windows = new Windows();
  await windows.load();
  await windows.newFolder();
  try {
    return await measured(windows);
  } finally {
    await windows.closeAll();
  }
}
