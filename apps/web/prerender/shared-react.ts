import type { Plugin, Rolldown } from 'vite';

/** Modules used by both builds, by import name; the tool contains them, and public pages load them from there. */
const shared = ['react', 'react-dom', 'react-dom/client', 'react/jsx-runtime'] as const;

const entryOf = (name: string) => `virtual:shared/${name}`;

/** Gives each shared module its own file in the build of the tool, with its export names kept. */
export function sharesReact(): Plugin {
  return {
    name: 'cellfolio-shares-react',
    config: () => ({
      build: {
        rolldownOptions: {
          input: {
            index: 'index.html',
            ...Object.fromEntries(shared.map((name) => [`shared-${name.replace('/', '-')}`, entryOf(name)])),
          },
          preserveEntrySignatures: 'strict',
        },
      },
    }),
    resolveId: (id) => (id.startsWith(entryOf('')) ? `\0${id}` : null),
    async load(id) {
      const name = shared.find((candidate) => id === `\0${entryOf(candidate)}`);
      if (name === undefined) return null;
      const names = Object.keys((await import(name)) as object).filter(
        (key) => key !== 'default' && key !== 'module.exports',
      );
      return `import shared from '${name}';\nexport default shared;\nexport const { ${names.join(', ')} } = shared;`;
    },
  };
}

/** Addresses of the shared modules in a build made with `sharesReact`. */
export function sharedAddresses(bundle: Rolldown.OutputBundle): ReadonlyMap<string, string> {
  return new Map(
    shared.map((name) => {
      const chunk = Object.values(bundle).find(
        (file) => file.type === 'chunk' && file.facadeModuleId === `\0${entryOf(name)}`,
      );
      if (chunk === undefined) throw new Error(`The build of the tool does not share ${name}.`);
      return [name, `/${chunk.fileName}`];
    }),
  );
}

/** Resolves the shared modules to their files in the build of the tool. */
export function takesReact(addresses: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'cellfolio-takes-react',
    enforce: 'pre',
    resolveId(id) {
      const address = addresses.get(id);
      return address === undefined ? null : { id: address, external: 'absolute' };
    },
  };
}
