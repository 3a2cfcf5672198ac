import '@vscode/codicons/dist/codicon.css';
import './inspector.css';
import { startView } from '../shared/viewElement.js';
import { InspectorElement } from './inspectorElement.js';

/* Entry point of the Request Inspector. The page from the host contains only an empty `<loupe-inspector>`. */

startView('loupe-inspector', InspectorElement);
