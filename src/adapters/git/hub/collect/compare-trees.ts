import { type IndexEntry, readablePath } from '../commit/index-entries.ts'
import type { HubGit } from '../process/companions.ts'
import { LISTED_PATH_BYTES } from '../process/git-output.ts'
import { type ObjectFormat, objectFormatOf } from '../repository/object-id.ts'

const MOST_TREES = 100
const MOST_FILES = 1_000
const HEADER = /^[0-9a-f]+ tree \d+\n/
const HEADER_BYTES = 200
const FOLDER = '40000'

type Folder = {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/**
 * The files that differ between two trees, sorted, found without starting git. Undefined if there are many: a few small
 * objects can name more files than fit on any disk, so the caller needs a git process that can be stopped.
 */
export async function compareTrees(
  needs: Pick<HubGit, 'companions'>,
  hub: string,
  before: string,
  after: string,
): Promise<readonly string[] | undefined> {
  const files = new Set<string>()
  const folders: Folder[] = before === after ? [] : [{ path: '', before, after }]
  let read = 0
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const [had, has] = await Promise.all([folder.before, folder.after].map((id) => readTree(needs, hub, id)))
    read += 1
    if (had === undefined || has === undefined || read > MOST_TREES || files.size > MOST_FILES)
      return undefined
    const differing = compareFolder(folder.path, had, has)
    for (const path of differing.files) files.add(path)
    folders.push(...differing.folders)
  }
  return [...files].sort().map((path) => readablePath(path.slice(0, LISTED_PATH_BYTES)))
}

type TreeEntry = Omit<IndexEntry, 'path'>
type Tree = ReadonlyMap<string, TreeEntry>

function compareFolder(path: string, had: Tree, has: Tree): { files: string[]; folders: Folder[] } {
  const files: string[] = []
  const folders: Folder[] = []
  for (const name of new Set([...had.keys(), ...has.keys()])) {
    const [one, other] = [had.get(name), has.get(name)]
    if (one?.id === other?.id && one?.mode === other?.mode) continue
    if (isFile(one) || isFile(other)) files.push(`${path}${name}`)
    const below: Folder = { path: `${path}${name}/`, before: folderId(one), after: folderId(other) }
    if (below.before !== undefined || below.after !== undefined) folders.push(below)
  }
  return { files, folders }
}

function isFile(entry: TreeEntry | undefined): boolean {
  return entry !== undefined && entry.mode !== FOLDER
}

function folderId(entry: TreeEntry | undefined): string | undefined {
  return entry?.mode === FOLDER ? entry.id : undefined
}

async function readTree(
  { companions }: Pick<HubGit, 'companions'>,
  hub: string,
  id: string | undefined,
): Promise<Tree | undefined> {
  if (id === undefined) return new Map()
  const answer = await companions.ask(hub, 'cat-file', `contents ${id}\n`)
  const header = HEADER.exec(answer?.subarray(0, HEADER_BYTES).toString('latin1') ?? '')
  if (answer === undefined || header === null) return undefined
  return parseTree(answer.subarray(header[0].length, -1), objectFormatOf(id))
}

function parseTree(bytes: Buffer, format: ObjectFormat): Tree {
  const idBytes = format === 'sha1' ? 20 : 32
  const entries = new Map<string, TreeEntry>()
  for (let start = 0; start < bytes.length; ) {
    const blank = bytes.indexOf(0x20, start)
    const end = bytes.indexOf(0, blank)
    const id = bytes.toString('hex', end + 1, end + 1 + idBytes)
    entries.set(bytes.toString('latin1', blank + 1, end), {
      mode: bytes.toString('latin1', start, blank),
      id,
    })
    start = end + 1 + idBytes
  }
  return entries
}
