import { inNumbers, key, term } from '../codec/index.js'

/** Code of an import supplier. */
export const importSupplierCode = key(32)

/** Id of an import run. */
export const importRunId = key(64)

/** The supplier's own account identifier. */
export const externalAccountNumber = key(128)

/** The same where it comes with the data of the account, from a conversion that may have made it of nothing. */
export const convertedAccountNumber = key(128, inNumbers)

/** Code of an organisation, which the operator gives it; in the form of a supplier code. */
export const organisationCode = key(32)

/** Name of an operations team. */
export const operationsTeamName = term(255)
