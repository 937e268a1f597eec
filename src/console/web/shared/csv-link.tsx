import { shopApi } from './api.js';
import { Icon } from './icon.js';

/** Downloads all rows of an endpoint as CSV. */
export function CsvLink({ shop, path, label = 'CSV' }: { shop: string; path: string; label?: string }) {
  return (
    <a class="button csv" href={shopApi(shop, `/csv${path}`)} download>
      <Icon name="download" />
      {label}
    </a>
  );
}
