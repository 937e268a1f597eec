import type { AppBiUser } from '../../schemas/app.js';
import type { AppRoutes } from './app-routes.js';
import { shopOf } from './shops.js';

export interface BiUserDeps {
  /** `boundAt`, in milliseconds: when it was given the shop. */
  biUsersOf: (shopId: string) => Promise<{ user: string; boundAt: number; isClosed: boolean }[]>;
}

/** Who reads the figures of a shop with SQL. Users are made by a command alone: it takes rights that the service needs for nothing else. */
export function biUserRoutes(routes: AppRoutes, { biUsersOf }: BiUserDeps): void {
  routes.get('/app/api/shops/:shop/bi-users', async (req, res) => {
    const users = (await biUsersOf(shopOf(req))).map(({ user, boundAt, isClosed }): AppBiUser => ({
      user,
      made_at: new Date(boundAt).toISOString(),
      is_closed: isClosed,
    }));
    res.json({ users });
  });
}
