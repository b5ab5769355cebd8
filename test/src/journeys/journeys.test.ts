import test from 'ava'
import { journeys } from './cases/index.js'
import { registerBackends } from './support/backends.js'
import { openWorld } from './support/world.js'

for (const backend of registerBackends())
  for (const { title, run } of journeys)
    test(`${title} (${backend.name})`, (t) => run(t, (options) => openWorld(t, backend, options)))
