import type { endpoints } from '@account-import/http-contract'
import { sample } from '../use-cases/support/samples.js'

/** What a request names, by which it may find what is not its organisation's. */
export type Named = Readonly<{ supplier: string; number: string; team: string; vendor: string }>

export type Asked = Readonly<{ params?: Readonly<Record<string, string>>; body?: unknown; lines?: boolean }>

type Request = Readonly<{ names: readonly (keyof Named)[]; of(named: Named): Asked }>

const account = ({ supplier, number }: Named) => ({
  ...sample('gas-account'),
  import_supplier: supplier,
  external_account_number: number,
})

const addition =
  (file: string) =>
  ({ supplier, number, vendor }: Named): Asked => {
    const payload = sample(file)
    const withVendor = 'vendor' in payload ? { vendor } : {}
    return {
      body: { ...payload, ...withVendor, import_supplier: supplier, external_account_number: number },
    }
  }

const ofSupplier: Request = {
  names: ['supplier'],
  of: ({ supplier }) => ({ params: { import_supplier_code: supplier } }),
}

/** A request of each endpoint: one that is missing does not compile. */
export const requests: Readonly<Record<keyof typeof endpoints, Request>> = {
  validateAccount: { names: ['supplier'], of: (named) => ({ body: account(named) }) },
  stageAccount: { names: ['supplier'], of: (named) => ({ body: account(named) }) },
  processAccount: {
    names: ['supplier', 'team'],
    of: ({ supplier, number, team }) => ({
      body: { import_supplier_code: supplier, external_account_number: number, operations_team_name: team },
    }),
  },
  bulkValidate: { names: ['supplier'], of: (named) => ({ body: account(named), lines: true }) },
  bulkStage: { names: ['supplier'], of: (named) => ({ body: account(named), lines: true }) },
  bulkProcess: {
    names: ['supplier', 'team'],
    of: ({ supplier, number, team }) => ({
      body: {
        import_supplier_code: supplier,
        operations_team_name: team,
        external_account_numbers: [number],
      },
    }),
  },
  addNotes: { names: ['supplier', 'number'], of: addition('notes') },
  addHistoricalStatements: { names: ['supplier', 'number'], of: addition('historical-statements') },
  addPaymentInstruction: { names: ['supplier', 'number', 'vendor'], of: addition('payment-instruction') },
  addTransactions: { names: ['supplier', 'number'], of: addition('transactions') },
  transferStatus: {
    names: ['supplier', 'number'],
    of: ({ supplier, number }) => ({
      params: { import_supplier_code: supplier, external_account_number: number },
    }),
  },
  accountImportSummary: ofSupplier,
  allAccountImports: ofSupplier,
  pendingAccountImports: ofSupplier,
  importedAccountImports: ofSupplier,
}
