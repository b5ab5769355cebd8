import { floods } from './floods.js'
import { withFloodedServer } from './flooded-server.js'
import { tryFlood } from './try-flood.js'

// A table of what each flood does to a server; with an argument, to that of another build by its bin.
const [, , program, only] = process.argv
console.log(
  'flood | survived | seconds | livez median, worst ms | neighbour worst ms (answers) | MiB | statuses',
)
for (const [name, flood] of Object.entries(floods)) {
  if (only !== undefined && !name.includes(only)) continue
  await withFloodedServer(
    async (server) => {
      const o = await tryFlood(server, flood)
      const livez = `${o.livezMedian.toFixed(0)}, ${o.livezWorst.toFixed(0)}`
      const neighbour = `${o.neighbourWorst.toFixed(0)} (${o.neighbourAnswers})`
      console.log(
        [
          name,
          o.survived,
          o.seconds.toFixed(1),
          livez,
          neighbour,
          o.peakMemory.toFixed(0),
          JSON.stringify(o.statuses),
        ].join(' | '),
      )
    },
    program === '' ? undefined : program,
  ).catch((cause: unknown) => console.log(name, String(cause)))
}
