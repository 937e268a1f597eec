import { startAnalysts } from '../bi/analysts.js';
import { ATTEMPTS } from './break-out-attempts.js';
import { describeBreakOut } from './break-out-suite.js';

describeBreakOut('a BI user who wants more', startAnalysts, ATTEMPTS);
