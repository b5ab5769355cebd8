/** How every request that adds data to a created account is refused. */
export const additionRefusals = {
  RequestFailedValidation: true,
  SupplierNotOngoing: true,
  AccountNotFound: true,
  PortFailure: true,
} as const
