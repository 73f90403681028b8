import type { World } from './documents-world.ts'
import type { Scene } from './run-documented.ts'

/** For each command, by its name, the scene in which it runs. */
export type Plans = Readonly<Record<string, (world: World) => Promise<Scene>>>
