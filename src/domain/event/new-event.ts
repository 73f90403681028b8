import type { Brand } from '../brand.ts'
import type { EventPlace } from './event-place.ts'

export type EventFields<Type, Data> = EventPlace & { readonly type: Type; readonly data: Data }

/** The brand keeps event literals out of the rest of the code: only the builders beside this file make one. */
export type BuiltEvent<Events, Type extends keyof Events> = {
  [Each in Type]: Brand<EventFields<Each, Events[Each]>, 'Event'>
}[Type]

/** Makes the events of one noun; `Events` maps each type to its data. Undefined fields of data are not stored. */
export function builderOf<Events>() {
  return <Type extends keyof Events>(type: Type, place: EventPlace, data: Events[Type]) =>
    ({ ...place, type, data }) as BuiltEvent<Events, Type>
}
