const keyColumns = ['organisation', 'import_supplier', 'platform_account_number'] as const

/** That the rows of two tables, by their names in the statement, belong to one account. */
export const ofSameAccount = (left: string, right: string): string =>
  keyColumns.map((column) => `${left}.${column} = ${right}.${column}`).join(' AND ')
