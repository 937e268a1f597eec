import { render } from 'preact';
import { followKeys } from './app/keys.js';
import { followLinks } from './app/navigation.js';
import { App } from './app/app.js';
import { applyTheme } from './shared/chosen-theme.js';

applyTheme();
followLinks();
followKeys();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
