import { code } from '../reference/table.mjs'
import { operations } from './endpoints.mjs'
import { tokenCommand } from './examples.mjs'

/** The groups of pages, in the order in which a new reader needs them. */
export const kinds = {
  tutorials: 'Tutorials',
  'how-to': 'How to',
  reference: 'Reference',
  endpoints: 'Endpoints',
  errors: 'Error codes',
}

/** The pages of a kind by their groups; those of a kind without groups are one group without a name. */
export const groupsOf = (kind, pages) => {
  const groups = new Map()
  for (const page of pages.filter((each) => each.kind === kind))
    groups.set(page.group, [...(groups.get(page.group) ?? []), page])
  return [...groups]
}

const listOf = (kind, pages) =>
  groupsOf(kind, pages)
    .map(([group, members]) => {
      const items = members.map(
        ({ path, title, description }) => `- [${title}](docs:${path}) – ${description}`,
      )
      return [...(group === undefined ? [] : [`### ${group}\n`]), ...items].join('\n')
    })
    .join('\n\n')

const endpointList = operations
  .map(
    ({ method, path, summary, operationId }) =>
      `- [${code(`${method} ${path}`)}](docs:endpoints/${operationId}/) – ${summary}`,
  )
  .join('\n')

const roles = [
  [
    'tutorials/from-a-csv-export/',
    'Import a file',
    'From an export of the old system to accounts, with a proof.',
    'npx account-import convert --init my-export',
  ],
  [
    '#get-a-token',
    'Call the API',
    'Validate, stage and process accounts from a program.',
    'curl http://127.0.0.1:8080/openapi.json',
  ],
  [
    'tutorials/embed-in-your-platform/',
    'Embed',
    'Run the core inside a platform, on its own tables.',
    'npm start -w examples/embed-in-memory',
  ],
  [
    'how-to/deploy/',
    'Operate',
    'Deploy the service, give access, watch and restore it.',
    'npx account-import supplier list',
  ],
]

/** The cards of the first page, one for each role, and the way of an account. */
export const roleCards = `<div class="cards">${roles
  .map(
    ([path, name, text, command]) => `<section class="card">
<h2><a href="docs:${path}">${name}</a></h2>
<p class="soft">${text}</p>
<div class="code"><pre tabindex="0"><code>${command}</code></pre></div>
</section>`,
  )
  .join('')}</div>
<div class="table" role="group" tabindex="0" aria-label="The path of an account">
<img src="docs:path-of-an-account.svg" width="760" height="190" alt="A file is checked and staged, staged data becomes an account, a proof compares both, and undo takes the accounts of a run back.">
</div>
`

/** The first page, as Markdown: the token, then every page. `pages`: the pages from the folder `docs`. */
export const startPage = (pages) => `# Import customer accounts

This service validates, stages and creates customer accounts.

## Get a token

The operator creates an API key with \`account-import api-key create\`; the demo of \`npm start\` stores one in \`data/demo-api-key\`.
You exchange the API key for a token. The token is valid for an hour, and every other request needs it. Examples use the organisation, the
supplier \`LEVANTE\` and the team of the demo.

\`\`\`sh
${tokenCommand}
\`\`\`

## Endpoints

[Try requests](docs:interactive/) in the browser, or [import in bulk](docs:how-to/import-in-bulk/). The [OpenAPI document](docs:../openapi.json) is for tools.

${endpointList}

${['tutorials', 'how-to', 'reference'].map((kind) => `## ${kinds[kind]}\n\n${listOf(kind, pages)}`).join('\n\n')}
`
