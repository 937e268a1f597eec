import { render } from 'preact';
import { SharedPage } from './share/shared-page.js';
import { applyTheme } from './shared/chosen-theme.js';

applyTheme();
const app = document.getElementById('app');
if (app !== null) render(<SharedPage />, app);
