/**
 * The lists of values that any text can be on until an operator closes one for a supplier. Payment vendors are not
 * among them: which ones there are depends on how the service is set up, not on a supplier.
 */
export const openLists = [
  'account_roles',
  'user_detail_namespace',
  'sales_channel',
  'reason',
  'payment_type',
  'tax_type',
  'tax_unit_type',
  'billable_unit_type',
  'rate_band',
  'billable_item_type',
  'atr_type',
  'tariff_code',
  'product_code',
  'ledger_code',
] as const

export type OpenList = (typeof openLists)[number]
