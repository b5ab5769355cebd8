import * as t from 'io-ts'

const textOrNull = t.union([t.string, t.null])

/** The account import process in a list: specification, status queries. */
export const listedImport = t.type(
  {
    external_account_number: t.string,
    platform_account_number: textOrNull,
    /** `YYYY-MM-DDTHH:MM:SSZ` */
    account_created_at: textOrNull,
  },
  'ListedImport',
)
export type ListedImport = t.TypeOf<typeof listedImport>
