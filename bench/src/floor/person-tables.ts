import { createHash } from 'node:crypto'
import type { AccountPayload } from '@account-import/core'
import type { Created, ListTable, TableRows } from './table-rows.js'

const sqlTime = (text: string | undefined): string | undefined => text?.slice(0, 19).replace('T', ' ')

/** The hash by which the service tells notes apart; the samples have no two equal notes. */
const noteDigest = ({ body, document_paths }: NonNullable<AccountPayload['notes']>[number]): string =>
  createHash('sha256')
    .update(
      body === undefined
        ? `documents:${JSON.stringify(document_paths?.map(({ document_path }) => document_path))}`
        : `body:${body}`,
    )
    .digest('hex')

/** The customers and what is noted of them. */
export const personTables = (
  account: AccountPayload,
  created: Created,
  list: ListTable,
): readonly TableRows[] => [
  list(
    'customers',
    ['ordinal', 'account_roles', 'user_details', 'given_name', 'family_name', 'email', 'mobile', 'landline'],
    account.customers,
    (each, ordinal) => [
      ordinal,
      JSON.stringify(each.account_roles ?? []),
      JSON.stringify(each.user_details ?? []),
      each.given_name,
      each.family_name,
      each.email,
      each.mobile,
      each.landline,
    ],
  ),
  list(
    'notes',
    [
      'ordinal',
      'body',
      'document_paths',
      'created_at',
      'is_pinned',
      'unpin_at',
      'content_digest',
      'identity_time',
    ],
    account.notes,
    (each, ordinal) => [
      ordinal,
      each.body,
      JSON.stringify(each.document_paths ?? []),
      sqlTime(each.created_at) ?? created.now,
      each.is_pinned ?? false,
      sqlTime(each.unpin_at),
      noteDigest(each),
      each.created_at ?? `${created.now.slice(0, 19).replace(' ', 'T')}Z`,
    ],
  ),
]
