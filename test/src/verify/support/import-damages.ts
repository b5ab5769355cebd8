import { copied, gone, inImport, notUnique, type Damage } from './damage.js'

const importKey = ['organisation', 'import_supplier', 'external_account_number']
const longAgo = '2020-01-01 00:00:00.000'
const farAway = '2099-01-01 00:00:00.000'

/** In imports, beside their accounts. */
export const importDamages: readonly Damage[] = [
  {
    title: 'two accounts for one import',
    kinds: ['several_accounts', 'unique_key_missing'],
    about: 'A-1',
    do: async (site) => {
      await notUnique(site.knex, 'accounts', 'accounts_by_import', importKey)
      await copied('accounts', {}, { platform_account_number: 'TWICE' })(site)
    },
  },
  {
    title: 'one number for two accounts',
    kinds: ['platform_number_twice', 'unique_key_missing'],
    do: async (site) => {
      await notUnique(site.knex, 'accounts', 'accounts_by_number', ['platform_account_number'])
      await copied('accounts', {}, { organisation: 'OTHER' })(site)
    },
  },
  {
    title: 'a completed import without its account',
    kinds: ['completed_without_account'],
    about: 'A-1',
    do: gone('accounts', {}),
  },
  {
    title: 'an account without its import',
    kinds: ['account_without_import'],
    about: 'A-1',
    do: ({ knex }) => knex('account_imports').where('external_account_number', 'A-1').delete(),
  },
  {
    title: 'an account whose import is not completed',
    kinds: ['account_of_unfinished_import'],
    about: 'A-1',
    do: inImport('A-1', {
      state: 'staged',
      platform_account_number: null,
      account_created_at: null,
      created_version: null,
    }),
  },
  {
    title: 'an import that names another number than its account has',
    kinds: ['account_number_differs'],
    about: 'A-1',
    do: inImport('A-1', { platform_account_number: 'OTHER' }),
  },
  {
    title: 'an import that was created at another time than its account',
    kinds: ['creation_differs'],
    about: 'A-1',
    do: inImport('A-1', { account_created_at: longAgo }),
  },
  {
    title: 'an account created from another version than was staged last',
    kinds: ['creation_differs'],
    about: 'A-2',
    do: inImport('A-2', { created_version: 1 }),
  },
  {
    title: 'half of a creation',
    kinds: ['creation_incomplete'],
    about: 'A-1',
    do: inImport('A-1', { created_version: null }),
  },
  {
    title: 'a created import that is counted as staged',
    kinds: ['import_state_wrong'],
    about: 'A-1',
    do: inImport('A-1', { state: 'staged' }),
  },
  {
    title: 'a skipped import that is counted as staged',
    kinds: ['import_state_wrong'],
    about: 'K-1',
    do: inImport('K-1', { state: 'staged' }),
  },
  {
    title: 'a created import that is marked to be skipped',
    kinds: ['import_state_wrong'],
    about: 'A-1',
    do: inImport('A-1', { skipped: 1 }),
  },
  {
    title: 'staged data that is gone',
    kinds: ['staged_data_missing'],
    about: 'S-1',
    do: inImport('S-1', { payload: null }),
  },
  {
    title: 'staged data of a created account that is gone',
    kinds: ['staged_data_missing'],
    about: 'A-1',
    do: inImport('A-1', { payload: null }),
  },
  {
    title: 'data that was never staged',
    kinds: ['staged_data_unexpected'],
    about: 'S-1',
    do: inImport('S-1', { staged_version: 0 }),
  },
  {
    title: 'staged data that was cut off',
    kinds: ['staged_data_unreadable'],
    about: 'S-1',
    do: ({ knex }) =>
      knex('account_imports')
        .where('external_account_number', 'S-1')
        .update({ payload: knex.raw('SUBSTR(payload, 1, 200)') }),
  },
  {
    title: 'staged data of a created account that was cut off',
    kinds: ['staged_data_unreadable'],
    about: 'A-1',
    do: ({ knex }) =>
      knex('account_imports')
        .where('external_account_number', 'A-1')
        .update({ payload: knex.raw('SUBSTR(payload, 1, 200)') }),
  },
  {
    title: 'staged data that is JSON and no account',
    kinds: ['staged_data_unreadable'],
    about: 'S-1',
    do: (site) =>
      inImport('S-1', {
        payload: JSON.stringify({
          import_supplier: site.supplier,
          external_account_number: 'S-1',
          supply_addresses: 'none',
        }),
      })(site),
  },
  {
    title: 'staged data of another account',
    kinds: ['staged_data_of_another'],
    about: 'S-1',
    do: ({ knex }) =>
      knex('account_imports')
        .where('external_account_number', 'S-1')
        .update({ payload: knex.raw("REPLACE(payload, 'S-1', 'S-2')") }),
  },
  {
    title: 'a claim that ended long ago',
    kinds: ['claim_abandoned'],
    about: 'C-1',
    do: inImport('C-1', { claim_expires_at: longAgo }),
  },
  {
    title: 'a claim that never ends',
    kinds: ['claim_never_ends'],
    about: 'C-1',
    do: inImport('C-1', { claim_expires_at: farAway }),
  },
  {
    title: 'a claim without an end',
    kinds: ['claim_incomplete'],
    about: 'C-1',
    do: inImport('C-1', { claim_expires_at: null }),
  },
  {
    title: 'a claim on an account that exists',
    kinds: ['claim_misplaced'],
    about: 'A-1',
    do: inImport('A-1', { claim_token: 'x', claim_expires_at: longAgo }),
  },
  {
    title: 'a failure without its time',
    kinds: ['failure_incomplete'],
    about: 'F-1',
    do: inImport('F-1', { latest_failure_at: null }),
  },
  {
    title: 'a slot that is taken without end',
    kinds: ['slot_never_ends'],
    do: ({ knex }) => knex('processing_slots').where('slot', 0).update({ expires_at: farAway }),
  },
]
