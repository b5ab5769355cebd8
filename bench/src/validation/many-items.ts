const ITEMS = 1000

const idOf = (index: number): string => `T-${String(index).padStart(6, '0')}`

/** An account with a thousand credits of this amount. */
export const manyItems = (amount: string): object => ({
  import_supplier: 'LEVANTE',
  external_account_number: 'LEV-1',
  unknown_occupier: true,
  ledgers: [
    {
      ledger_code: 'SPAIN_GAS_LEDGER',
      current_statement_transactions: Array.from({ length: ITEMS }, (_, index) => ({
        transaction_id: idOf(index),
        transaction_date: '2025-04-15',
        amount,
        type: 'CREDIT',
        reason: 'IMPORTED_CREDIT',
        display_note: 'Abono por incidencia',
      })),
    },
  ],
})
