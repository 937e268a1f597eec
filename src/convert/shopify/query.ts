/**
 * What the GraphQL API has to be asked so that an order can be converted, for a list of orders. A longer list than asked for is
 * recognized by `pageInfo`, and the order is then held back.
 */
export const SHOPIFY_ORDERS_QUERY = `query Orders($cursor: String, $filter: String) {
  orders(first: 10, after: $cursor, query: $filter, sortKey: UPDATED_AT) {
    pageInfo { hasNextPage endCursor }
    nodes {
      id name createdAt processedAt updatedAt cancelledAt test currencyCode displayFinancialStatus taxesIncluded
      dutiesIncluded paymentGatewayNames paymentTerms { id }
      customer { id }
      sourceName discountCodes tags
      shippingAddress { countryCodeV2 }
      billingAddress { countryCodeV2 }
      totalPriceSet { ...money }
      currentTotalPriceSet { ...money }
      totalTaxSet { ...money }
      currentTotalTaxSet { ...money }
      totalDiscountsSet { ...money }
      totalOutstandingSet { ...money }
      totalTipReceivedSet { ...money }
      originalTotalDutiesSet { ...money }
      originalTotalAdditionalFeesSet { ...money }
      totalRefundedSet { ...money }
      totalCashRoundingAdjustment { paymentSet { ...money } refundSet { ...money } }
      lineItems(first: 100) {
        pageInfo { hasNextPage }
        nodes {
          id title sku quantity currentQuantity isGiftCard
          product { id }
          originalUnitPriceSet { ...money }
          discountAllocations { allocatedAmountSet { ...money } }
          taxLines { priceSet { ...money } }
        }
      }
      shippingLines(first: 10, includeRemovals: false) {
        pageInfo { hasNextPage }
        nodes { id originalPriceSet { ...money } discountedPriceSet { ...money } }
      }
      refunds {
        id createdAt processedAt
        refundLineItems(first: 50) {
          pageInfo { hasNextPage }
          nodes { lineItem { id } quantity restockType subtotalSet { ...money } totalTaxSet { ...money } }
        }
        refundShippingLines(first: 5) {
          pageInfo { hasNextPage }
          nodes { subtotalAmountSet { ...money } taxAmountSet { ...money } }
        }
        orderAdjustments(first: 5) {
          pageInfo { hasNextPage }
          nodes { reason amountSet { ...money } taxAmountSet { ...money } }
        }
        transactions(first: 10) {
          pageInfo { hasNextPage }
          nodes { kind status gateway amountSet { ...money } }
        }
      }
    }
  }
}
fragment money on MoneyBag { shopMoney { amount currencyCode } }
`;
