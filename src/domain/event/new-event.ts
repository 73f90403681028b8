import type { Brand } from '../id.ts'
import type { EventPlace } from './event-place.ts'

export type EventFields<Type, Data> = EventPlace & { readonly type: Type; readonly data: Data }

/** The brand prevents event literals elsewhere: only the builders in this folder make events. */
export type BuiltEvent<Events, Type extends keyof Events> = {
  [Each in Type]: Brand<EventFields<Each, Events[Each]>, 'Event'>
}[Type]

/** Makes the events of one noun; `Events` maps each type to its data. Undefined data fields are not stored. */
export function builderOf<Events>() {
  return <Type extends keyof Events>(type: Type, place: EventPlace, data: Events[Type]) =>
    ({ ...place, type, data }) as BuiltEvent<Events, Type>
}
