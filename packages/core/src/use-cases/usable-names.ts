import type { SupplierStatus } from '../domain/import-supplier.js'
import { pipe, TE } from '../fp.js'
import type { Ports } from '../ports/index.js'
import type { UseCaseResult } from './errors.js'

export type UsableNames = Readonly<{
  importSuppliers: readonly Readonly<{ code: string; status: SupplierStatus }>[]
  operationsTeams: readonly string[]
}>

/** The names that requests of an organisation may use, and none of another organisation. */
export const usableNames =
  ({ importSuppliers, operationsTeams }: Pick<Ports, 'importSuppliers' | 'operationsTeams'>) =>
  (organisation: string): UseCaseResult<never, UsableNames> =>
    pipe(
      importSuppliers.list(organisation),
      TE.bindTo('suppliers'),
      TE.bindW('teams', () => operationsTeams.list(organisation)),
      TE.map(({ suppliers, teams }) => ({
        importSuppliers: suppliers.map(({ code, status }) => ({ code, status })),
        operationsTeams: teams.map(({ name }) => name),
      })),
    )
