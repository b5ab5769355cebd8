import type { SupplierStatus } from '../domain/import-supplier.js'
import { E } from '../fp.js'
import type { Ports } from '../ports/index.js'
import type { UseCaseResult } from './errors.js'

export type UsableNames = Readonly<{
  importSuppliers: readonly Readonly<{ code: string; status: SupplierStatus }>[]
  operationsTeams: readonly string[]
}>

/** The names that requests of an organisation may use, and none of another organisation. */
export const usableNames =
  ({ importSuppliers, operationsTeams }: Pick<Ports, 'importSuppliers' | 'operationsTeams'>) =>
  async (organisation: string): UseCaseResult<never, UsableNames> => {
    const suppliers = await importSuppliers.list(organisation)
    if (E.isLeft(suppliers)) return suppliers
    const teams = await operationsTeams.list(organisation)
    if (E.isLeft(teams)) return teams
    return E.right({
      importSuppliers: suppliers.right.map(({ code, status }) => ({ code, status })),
      operationsTeams: teams.right.map(({ name }) => name),
    })
  }
