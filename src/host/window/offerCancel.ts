import * as vscode from 'vscode';
import type { SlowWorkPorts } from './slowWork.js';

export function offerCancel(title: string): SlowWorkPorts['offerCancel'] {
  return (ended, cancel) => {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void vscode.window.withProgress(options, (_progress, token) => {
      token.onCancellationRequested(cancel);
      return ended;
    });
  };
}
