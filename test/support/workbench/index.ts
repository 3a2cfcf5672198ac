export * from './chat.js';
export * from './panel.js';
export * from './quickInput.js';
export * from './server.js';
export * from './shared.js';
export { SIDE_BAR } from './sideBar.js';
export { waitFor } from './wait.js';
