import { breakKinds } from '../../packages/adapter-sql/dist/index.js'
import { code, table } from './table.mjs'

const rows = Object.entries(breakKinds).map(([kind, { means, fix }]) => [code(kind), means, fix])

export const breaksPage = () => `# Breaks

What \`account-import verify\` can find: two things in the database that do not agree. None of them comes from using the
service; they come from disks, restored backups, statements that somebody typed, and databases that lost what they had
confirmed. [Operate the service](../how-to/operate.md#after-an-accident) says in which order to go about them.

A line of its output has the kind, organisation, import supplier, external and platform account number, and the table with
the columns that differ and how many rows; \`-\` stands for what a kind does not have. No value of a payload is printed.

${table(['Kind', 'What it means', 'What to do'], rows)}
`
