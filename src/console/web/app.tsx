import { render } from 'preact';
import { followLinks } from './app/navigation.js';
import { App } from './app/app.js';
import { applyTheme } from './shared/chosen-theme.js';

applyTheme();
followLinks();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
