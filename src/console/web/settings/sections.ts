import type { Role } from '../../../domain/roles.js';
import type { SettingsName } from '../app/address.js';

/** The parts of the settings, and the least role for each. */
export const SECTIONS: Readonly<Record<SettingsName, { label: string; needs: Role }>> = {
  shop: { label: 'Shop', needs: 'manager' },
  costs: { label: 'Unit costs', needs: 'manager' },
  expenses: { label: 'Expenses', needs: 'manager' },
  fees: { label: 'Payment fees', needs: 'manager' },
  pixel: { label: 'Pixel', needs: 'manager' },
  alerts: { label: 'Alerts', needs: 'manager' },
  bi: { label: 'BI access', needs: 'manager' },
  people: { label: 'People', needs: 'viewer' },
};
