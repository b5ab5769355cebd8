const instructions = new Set([
  'ARG',
  'FROM',
  'WORKDIR',
  'COPY',
  'RUN',
  'ENV',
  'VOLUME',
  'USER',
  'EXPOSE',
  'HEALTHCHECK',
  'ENTRYPOINT',
  'CMD',
])

/**
 * The stages of a Dockerfile, each with its instructions in order: `{ name, steps: [{ instruction, rest }] }`. Throws for an
 * instruction that cannot be simulated.
 */
export const stagesOf = (text) => {
  const stages = []
  const lines = text.replaceAll('\\\n', ' ').split('\n')
  for (const line of lines.filter((each) => each.trim() !== '' && !each.startsWith('#'))) {
    const [, instruction, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (!instructions.has(instruction)) throw new Error(`not an instruction that can be simulated: ${line}`)
    if (instruction === 'FROM') stages.push({ name: / AS (\S+)$/.exec(rest)?.[1], steps: [] })
    else stages.at(-1)?.steps.push({ instruction, rest })
  }
  return stages
}
