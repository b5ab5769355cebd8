import type { Answer } from '../exchange.js'
import type { DeclaredAnswer, DeclaredHeader } from './contract.js'
import { canary } from './leaks.js'

/** On every answer, whatever it is. */
const fixed = [
  'cache-control',
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
]

/** Of the message and the connection, not of what is answered. */
const ofHttp = ['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding']

const unnamed = new Set([...fixed, ...ofHttp])

/** The values of a header. */
export const headerOf = ({ headers }: Answer, name: string): readonly string[] =>
  headers.filter(([each]) => each === name).map(([, value]) => value)

/** As its schema sees it. */
const valueOf = (text: string): unknown => (/^\d+$/.test(text) ? Number(text) : text)

const faultsOf = (answer: Answer, { name, isRequired, objectionTo }: DeclaredHeader): readonly string[] => {
  const values = headerOf(answer, name)
  if (values.length === 0) return isRequired ? [`the header ${name} is missing`] : []
  if (values.length > 1) return [`the header ${name} is there ${values.length} times`]
  const [value = ''] = values
  const objection = objectionTo(value) === undefined ? undefined : objectionTo(valueOf(value))
  return objection === undefined ? [] : [`the header ${name} is not as declared: ${objection}`]
}

/** What is wrong with the headers of an answer. */
export const headerFaults = (answer: Answer, declared: DeclaredAnswer): readonly string[] => {
  const names = new Set(declared.headers.map(({ name }) => name))
  return [
    ...declared.headers.flatMap((header) => faultsOf(answer, header)),
    ...fixed.filter((name) => headerOf(answer, name).length !== 1).map((name) => `${name} is not there once`),
    ...answer.headers
      .filter(([name]) => !names.has(name) && !unnamed.has(name))
      .map(([name]) => `the header ${name} is not declared`),
    ...answer.headers
      .filter(([name, value]) => name !== 'x-request-id' && name !== 'link' && value.includes(canary))
      .map(([name]) => `a value that was sent is in the header ${name}`),
  ]
}
