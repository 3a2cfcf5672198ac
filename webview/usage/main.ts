import '@vscode/codicons/dist/codicon.css';
import './usage.css';
import { LimitsElement } from '../shared/controls/limits.js';
import { startView } from '../shared/viewElement.js';
import { BarChart } from './barChart.js';
import { UsageElement } from './usageElement.js';

/* Entry point of the usage view. The page from the host contains only an empty `<loupe-usage>`. */

customElements.define('loupe-limits', LimitsElement);
customElements.define('loupe-bar-chart', BarChart);
startView('loupe-usage', UsageElement);
