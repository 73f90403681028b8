import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { FoundPlaybook, PlaybookPlace, PlaybookSource } from '../../../ports/playbook-source.ts'
import { playbookJsonSchema } from './playbook-json-schema.ts'
import { locateProblems, PLAYBOOK_FILE, readFiles, readFolder } from './read-folder.ts'

type Options = {
  /** The folder of the shipped playbooks, one folder each, with their prompts in `builtin`. */
  readonly shipped: string
  /** The folder of the person's own playbooks. */
  readonly person?: string
}

type Place = { readonly place: PlaybookPlace; readonly folder: string }

/** Reads playbooks from the repository, then from the person's own folder, then those that Muster ships. */
export function createFolderPlaybooks(options: Options): PlaybookSource {
  const builtin = path.join(options.shipped, 'builtin')
  const list = async (repositoryPath: string | undefined) => {
    const found = new Map<string, FoundPlaybook>()
    for (const place of placesOf(options, repositoryPath)) {
      for (const playbook of await listPlace(place)) {
        if (!found.has(playbook.name)) found.set(playbook.name, playbook)
      }
    }
    return [...found.values()]
  }
  return {
    list,
    find: async (name, repositoryPath) =>
      (await list(repositoryPath)).find((playbook) => playbook.name === name),
    findShipped: async (name) =>
      (await listPlace({ place: 'shipped', folder: options.shipped })).find((found) => found.name === name),
    read: (directory) => readFolder(directory, builtin),
    readFiles: (files) => readFiles(files, builtin),
    locate: locateProblems,
    schema: playbookJsonSchema,
  }
}

function placesOf({ shipped, person }: Options, repositoryPath: string | undefined): readonly Place[] {
  return [
    ...(repositoryPath === undefined
      ? []
      : [{ place: 'repository' as const, folder: path.join(repositoryPath, '.muster', 'playbooks') }]),
    ...(person === undefined ? [] : [{ place: 'person' as const, folder: person }]),
    { place: 'shipped', folder: shipped },
  ]
}

async function listPlace({ place, folder }: Place): Promise<readonly FoundPlaybook[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const held = await Promise.all(
    names.sort().map(async (name) => [name, await hasPlaybook(folder, name)] as const),
  )
  return held.flatMap(([name, has]) => (has ? [{ name, place, directory: path.join(folder, name) }] : []))
}

async function hasPlaybook(folder: string, name: string): Promise<boolean> {
  const entries = await readdir(path.join(folder, name)).catch((): string[] => [])
  return entries.includes(PLAYBOOK_FILE)
}
