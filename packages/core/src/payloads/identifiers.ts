import { key, term } from '../codec/index.js'

/** Code of an import supplier. */
export const importSupplierCode = key(32)

/** Id of an import run. */
export const importRunId = key(64)

/** The supplier's own account identifier. */
export const externalAccountNumber = key(128)

/** Code of an organisation, chosen by the operator; in the form of a supplier code. */
export const organisationCode = key(32)

/** Name of an operations team. */
export const operationsTeamName = term(255)
