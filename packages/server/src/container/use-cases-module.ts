import { ContainerModule, type ResolutionContext } from 'inversify'
import { makeUseCases, type Actor, type Ports } from '@account-import/core'
import { portIds, useCasesId } from './port-ids.js'

/** All ports of the container: `portIds` names each of them, or it does not compile. */
const portsOf = (context: ResolutionContext): Ports =>
  Object.fromEntries(
    Object.entries(portIds).map(([name, id]) => [name, context.get<unknown>(id)]),
  ) as unknown as Ports

/** Binds `useCasesId`: the use cases over the ports of the same container. `operator`: whom the record names as such. */
export const useCasesModule = (operator: Actor): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(useCasesId)
      .toDynamicValue((context) => makeUseCases(portsOf(context), operator))
      .inSingletonScope()
  })
