import '../servers/end-with-parent.js'
import type { LoadJob } from './load-job.js'
import { runJob } from './run-job.js'

// The load generator, a process of its own: it runs the jobs that its parent sends and answers their results.
process.on('message', (job: LoadJob) => {
  runJob(job).then(
    (result) => process.send?.({ result }),
    (cause: unknown) => process.send?.({ failure: String(cause) }),
  )
})
process.channel?.ref() // it lives for the next job
