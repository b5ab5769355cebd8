import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const mostBytes = 23_500

/** The faults of the installed client, bundled, minified and compressed for a browser, without modules of Node.js. */
export const forBrowsers = async (project) => {
  const warnings = []
  const bundle = await rolldown({
    cwd: project,
    input: join(project, 'node_modules/@account-import/client/dist/index.js'),
    platform: 'browser',
    onLog: (_, { message }) => warnings.push(message),
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  const { code, imports } = output[0]
  const bytes = gzipSync(code, { level: 9 }).length
  console.log(`the client for browsers: ${bytes} bytes gzipped, ${code.length} minified`)
  return [
    ...warnings,
    ...imports.map((name) => `the client for browsers imports ${name}`),
    ...(bytes > mostBytes
      ? [`the client for browsers has ${bytes} bytes gzipped, more than ${mostBytes}`]
      : []),
  ]
}
