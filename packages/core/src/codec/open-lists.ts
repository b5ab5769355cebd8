/**
 * The open lists that an operator may close for a supplier: section 4. Payment vendors are no setting, so they
 * are not among them.
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
