import { code } from '../reference/table.mjs'
import { operations, tokenCommand } from './endpoints.mjs'

/** The groups of pages, in the order in which a newcomer needs them. */
export const kinds = {
  tutorials: 'Tutorials',
  'how-to': 'How to',
  reference: 'Reference',
  endpoints: 'Endpoints',
  errors: 'Error codes',
}

const listOf = (kind, pages) =>
  pages
    .filter((page) => page.kind === kind)
    .map(({ path, title, description }) => `- [${title}](docs:${path}) – ${description}`)
    .join('\n')

const endpointList = operations
  .map(
    ({ method, path, summary, operationId }) =>
      `- [${code(`${method} ${path}`)}](docs:endpoints/${operationId}/) – ${summary}`,
  )
  .join('\n')

/** The first page, as Markdown: by role, then every page. `pages`: those that are made from the folder `docs`. */
export const startPage = (pages) => `# Customer Account Import Service

Validates, stages and creates customer accounts.

## Where to start

- [Import a file](docs:tutorials/from-a-csv-export/): from a CSV export to imported accounts; then [import a supplier](docs:how-to/import-a-supplier/).
- [Call the API](#get-a-token): take a token, [try requests](docs:interactive/) in the browser (Swagger UI), and
  [send many accounts at once](docs:how-to/import-in-bulk/). The [OpenAPI document](docs:../openapi.json) is for tools.
- [Embed the import](docs:tutorials/embed-in-your-platform/): run it inside your platform; [what the core needs](docs:how-to/embed-the-core/).
- [Operate the service](docs:how-to/deploy/): deploy it, [operate it](docs:how-to/operate/), and [monitor it](docs:how-to/monitor/).
- [Error codes](docs:errors/): what each one means, and how to fix it.

## Get a token

The operator makes an API key with \`account-import api-key create\`; the demo of \`npm start\` keeps one in \`data/demo-api-key\`. It is
exchanged for a token, good for an hour, that every other request carries. Examples use the organisation, supplier
\`LEVANTE\` and team of the demo.

\`\`\`sh
${tokenCommand}
\`\`\`

## Endpoints

${endpointList}

${['tutorials', 'how-to', 'reference'].map((kind) => `## ${kinds[kind]}\n\n${listOf(kind, pages)}`).join('\n\n')}
`
