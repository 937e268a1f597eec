import { BiUsersAnswer } from '../../schemas/app.js';
import { appRoute, type AppRoute } from './app-route.js';

export interface BiUserDeps {
  /** `boundAt`, in milliseconds: when it was given the shop. */
  biUsersOf: (shopId: string) => Promise<{ user: string; boundAt: number; isClosed: boolean }[]>;
}

/** Who reads the figures of a shop with SQL. Users are made by a command alone: it takes rights that the service needs for nothing else. */
export const biUserRoutes: readonly AppRoute<BiUserDeps>[] = [
  appRoute('manager', 'GET /app/api/shops/:shop/bi-users', {
    answers: { 200: BiUsersAnswer },
    async run({ shopId }, { biUsersOf }) {
      const users = await biUsersOf(shopId);
      return {
        users: users.map(({ user, boundAt, isClosed }) => ({
          user,
          made_at: new Date(boundAt).toISOString(),
          is_closed: isClosed,
        })),
      };
    },
  }),
];
