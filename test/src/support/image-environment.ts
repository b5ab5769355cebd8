import { textOf } from './repository.js'

/** The variables that the image sets. */
export const imageEnvironment = (): Readonly<Record<string, string>> => {
  const [, line = ''] = /^ENV (.+)$/m.exec(textOf('Dockerfile')) ?? []
  return Object.fromEntries(line.split(' ').map((each) => each.split('=') as [string, string]))
}
