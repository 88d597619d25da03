import {
  AppBridge,
  type McpUiHostContext,
  PostMessageTransport,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import type { CallToolResult } from '@modelcontextprotocol/client';

/** Functions of the test that the page of the host calls. */
interface HostWindow {
  callTool: (params: object) => Promise<CallToolResult>;
  /** The last note to the model. */
  modelContext: unknown;
  openApp: typeof openApp;
  setTheme: (theme: 'light' | 'dark') => void;
}

const own = window as unknown as HostWindow;

interface Opened {
  readonly html: string;
  readonly args: Record<string, unknown>;
  readonly result: CallToolResult;
  readonly context: McpUiHostContext;
  /** Whether the host takes notes for its model. */
  readonly takesContext: boolean;
}

/** Opens an app as a host does: in a sandbox without an origin, with the policy of a resource that names no domain. */
async function openApp({ html, args, result, context, takesContext }: Opened): Promise<void> {
  const policy =
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.srcdoc = html.replace(
    '<head>',
    `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
  frame.style.cssText = 'width: 100%; border: 0; display: block';
  document.body.replaceChildren(frame);
  const bridge = new AppBridge(
    null,
    { name: 'test host', version: '1' },
    { serverTools: {}, ...(takesContext && { updateModelContext: { text: {} } }) },
    { hostContext: context },
  );
  bridge.oncalltool = (params) => own.callTool(params);
  bridge.onupdatemodelcontext = async (params) => {
    own.modelContext = params;
    return {};
  };
  bridge.onsizechange = ({ height }) => {
    if (height !== undefined) frame.style.height = `${height}px`;
  };
  own.setTheme = (theme) => {
    document.documentElement.style.background = theme === 'dark' ? '#17191e' : '#ffffff';
    bridge.setHostContext({ ...context, theme });
  };
  const started = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve();
  });
  const target = frame.contentWindow!;
  await bridge.connect(new PostMessageTransport(target, target));
  await started;
  await bridge.sendToolInput({ arguments: args });
  await bridge.sendToolResult(result);
}

own.openApp = openApp;
