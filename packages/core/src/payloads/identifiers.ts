import { key, term } from '../codec/index.js'

/** Code of an import supplier: catalogue, section 5.1. */
export const importSupplierCode = key(32)

/** The supplier's own account identifier: catalogue, section 5.1. */
export const externalAccountNumber = key(128)

/** Code of an organisation; the operator's, in the form of a supplier code. */
export const organisationCode = key(32)

/** Name of an operations team: catalogue, section 6. */
export const operationsTeamName = term(255)
