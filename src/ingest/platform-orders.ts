import type { ReadItem, Items } from '../body/items.js';
import type { Conversion } from '../convert/conversion.js';
import { convertShopify, unwrapped } from '../convert/shopify/convert.js';
import { idOf } from '../convert/values.js';
import { convertWooCommerce } from '../convert/woocommerce/convert.js';
import { fieldsOf, isFields } from '../domain/fields.js';

/** Platforms whose own JSON `POST /v1/orders?format=` takes. */
export const ORDER_PLATFORMS = ['shopify', 'woocommerce'] as const;
export type OrderPlatform = (typeof ORDER_PLATFORMS)[number];

/** Orders of a platform as items of a push; one that the converter holds back has its reason as a fault. */
export function convertedItems(given: Items, platform: OrderPlatform, currency: string): Items {
  const read = (index: number): ReadItem => {
    const item = given.read(index);
    return item.faults === undefined ? converted(item.value, platform, currency) : item;
  };
  return {
    length: given.length,
    read,
    *[Symbol.iterator]() {
      for (let i = 0; i < given.length; i++) yield read(i);
    },
  };
}

function converted(value: unknown, platform: OrderPlatform, currency: string): ReadItem {
  const order = unwrapped(value);
  const conversion: Conversion =
    platform === 'shopify'
      ? convertShopify(value, { currency })
      : convertWooCommerce({ order, ...refundsIn(value) }, { currency });
  if ('order' in conversion) return { value: conversion.order };
  return { value: { order_id: idOf(order.id) }, faults: [conversion.hold] };
}

/** `{ order, refunds }`: the refunds of WooCommerce's second call. */
function refundsIn(value: unknown): { refunds?: unknown } {
  const { order, refunds } = fieldsOf(value);
  return isFields(order) && refunds !== undefined ? { refunds } : {};
}
