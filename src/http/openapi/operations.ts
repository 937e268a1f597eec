import { RESOURCES } from '../routes/resources.js';
import type { Operation } from './operation.js';

/** Every operation, in an order in which the examples can be sent one after the other. */
export const OPERATIONS: readonly Operation[] = Object.values(RESOURCES).flat();
