import { parseArgs } from 'node:util'
import { databaseBackends, onBackend } from '../support/on-backend.js'
import { scaleRun, type Figure } from './scale-run.js'

const { values } = parseArgs({ options: { imports: { type: 'string', default: '100000' } } })
const imports = Number(values.imports)

const line = (backend: string, { name, detail, value, most }: Figure): string =>
  [
    backend.padEnd(8),
    name.padEnd(44),
    value.toFixed(2).padStart(7),
    `(at most ${most})`.padEnd(15),
    value <= most ? 'reached' : 'MISSED',
    ` ${detail}`,
  ].join(' ')

if (!Number.isInteger(imports) || imports < 2000) {
  console.error('Usage: scale [--imports 2000..]')
  process.exitCode = 2
} else
  for (const backend of databaseBackends) {
    const figures = await onBackend[backend]((url) => scaleRun(url, imports))
    for (const figure of figures) {
      console.log(line(backend, figure))
      if (figure.value > figure.most) process.exitCode = 1
    }
  }
