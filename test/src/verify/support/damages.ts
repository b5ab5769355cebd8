import { copied, gone, inTable, type Damage } from './damage.js'
import { importDamages } from './import-damages.js'
import { rowDamages } from './row-damages.js'

const emails: readonly Damage[] = [
  {
    title: 'an e-mail without its account',
    kinds: ['email_without_account', 'completed_without_account'],
    about: 'A-1',
    do: gone('accounts', {}),
  },
  {
    title: 'an e-mail of an account that was never there',
    kinds: ['email_without_account'],
    about: 'NONE',
    do: copied('customer_emails', {}, { external_account_number: 'NONE', id: 'none' }),
  },
  {
    title: 'an e-mail about another number',
    kinds: ['email_number_differs'],
    about: 'A-1',
    do: inTable('customer_emails', {}, { platform_account_number: 'OTHER' }),
  },
  {
    title: 'an e-mail that waits and is never due',
    kinds: ['email_state_wrong'],
    about: 'A-1',
    do: inTable('customer_emails', {}, { due_at: null }),
  },
  {
    title: 'an e-mail in a state that there is not',
    kinds: ['email_state_wrong'],
    about: 'A-1',
    do: inTable('customer_emails', {}, { state: 'lost' }),
  },
]

const registers: readonly Damage[] = [
  {
    title: 'a supplier that is not registered any more',
    kinds: ['supplier_unknown'],
    do: ({ knex }) => knex('import_suppliers').delete(),
  },
  {
    title: 'an organisation that is not registered any more',
    kinds: ['organisation_unknown'],
    do: ({ knex }) => knex('organisations').delete(),
  },
  {
    title: 'an operations team that is not registered any more',
    kinds: ['team_unknown'],
    about: 'A-1',
    do: ({ knex }) => knex('operations_teams').delete(),
  },
  {
    title: 'rows of a supplier that nobody knows',
    kinds: ['supplier_unknown', 'row_without_account'],
    do: copied('notes', { ordinal: 0 }, { import_supplier: 'NOBODY' }),
  },
]

/** Each kind of break at least once. */
export const damages: readonly Damage[] = [...importDamages, ...emails, ...rowDamages, ...registers]
