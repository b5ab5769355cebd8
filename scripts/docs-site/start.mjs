import { code } from '../reference/table.mjs'
import { operations, tokenCommand } from './endpoints.mjs'

/** The groups of pages, in the order in which a new reader needs them. */
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

/** The first page, as Markdown: links by role, then every page. `pages`: the pages from the folder `docs`. */
export const startPage = (pages) => `# Customer Account Import Service

This service validates, stages and creates customer accounts.

## Where to start

- [Import a file](docs:tutorials/from-a-csv-export/): from a CSV export to imported accounts; then [import a supplier](docs:how-to/import-a-supplier/).
- [Call the API](#get-a-token): get a token, [try requests](docs:interactive/) in the browser (Swagger UI), and
  [import in bulk](docs:how-to/import-in-bulk/). The [OpenAPI document](docs:../openapi.json) is for tools.
- [Embed the import](docs:tutorials/embed-in-your-platform/): run the core inside your platform; [the parts of the core](docs:how-to/embed-the-core/).
- [Operate the service](docs:how-to/deploy/): deploy it, [operate it](docs:how-to/operate/), and [monitor it](docs:how-to/monitor/).
- [Error codes](docs:errors/): the meaning and the remedy of each code.

## Get a token

The operator creates an API key with \`account-import api-key create\`; the demo of \`npm start\` stores one in \`data/demo-api-key\`.
You exchange the API key for a token. The token is valid for an hour, and every other request needs it. Examples use the organisation, the
supplier \`LEVANTE\` and the team of the demo.

\`\`\`sh
${tokenCommand}
\`\`\`

## Endpoints

${endpointList}

${['tutorials', 'how-to', 'reference'].map((kind) => `## ${kinds[kind]}\n\n${listOf(kind, pages)}`).join('\n\n')}
`
