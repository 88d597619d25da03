export declare const softwareWebglArguments: string[];
export declare function browserPath(): string;
