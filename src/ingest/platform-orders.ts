import type { ReadItem, Items } from '../body/items.js';
import type { Conversion } from '../convert/conversion.js';
import type { ConversionOptions } from '../convert/options.js';
import { convertShopify } from '../convert/shopify/convert.js';
import { idOf } from '../convert/values.js';
import { unwrapped } from '../convert/unwrapped.js';
import { convertWooCommerce } from '../convert/woocommerce/convert.js';
import { fieldsOf, isFields } from '../domain/fields.js';
import type { SourceRecord } from '../domain/source.js';

/** Platforms whose own JSON `POST /v1/orders?format=` takes. */
export const ORDER_PLATFORMS = ['shopify', 'woocommerce'] as const;
export type OrderPlatform = (typeof ORDER_PLATFORMS)[number];

/** Orders of a platform as items of a push; one that the converter holds back has its reason as a fault. */
export function convertedItems(given: Items, platform: OrderPlatform, source: SourceRecord): Items {
  const options = optionsOf(source);
  const read = (index: number): ReadItem => {
    const item = given.read(index);
    return item.faults === undefined ? converted(item.value, platform, options) : item;
  };
  return {
    length: given.length,
    read,
    *[Symbol.iterator]() {
      for (let i = 0; i < given.length; i++) yield read(i);
    },
  };
}

function optionsOf({ currency, conversion }: SourceRecord): ConversionOptions {
  const { count, refunds_on, restock, statuses, gift_card_skus, sub_orders, credit_coupons, rate } = conversion ?? {};
  return {
    currency,
    ...(count !== undefined && { count }),
    ...(refunds_on !== undefined && { refundsOn: refunds_on }),
    ...(restock !== undefined && { restock }),
    ...(statuses !== undefined && { statuses }),
    ...(gift_card_skus !== undefined && { giftCardSkus: gift_card_skus }),
    ...(sub_orders !== undefined && { subOrders: sub_orders }),
    ...(credit_coupons !== undefined && { creditCoupons: credit_coupons }),
    ...(rate !== undefined && { rate }),
  };
}

function converted(value: unknown, platform: OrderPlatform, options: ConversionOptions): ReadItem {
  const order = unwrapped(value);
  const conversion: Conversion =
    platform === 'shopify'
      ? convertShopify(value, options)
      : convertWooCommerce({ order, ...refundsIn(value) }, options);
  if ('order' in conversion) return { value: conversion.order };
  const id = idOf(order.id);
  return { value: id === undefined ? {} : { order_id: id }, faults: [conversion.hold] };
}

/** `{ order, refunds }`: the refunds of WooCommerce's second call. */
function refundsIn(value: unknown): { refunds?: unknown } {
  const { order, refunds } = fieldsOf(value);
  return isFields(order) && refunds !== undefined ? { refunds } : {};
}
