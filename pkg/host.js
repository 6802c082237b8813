var wo=Object.defineProperty;var i=(t,e)=>wo(t,"name",{value:e,configurable:!0});var wt;function b(){return wt??=Date.now()-performance.now(),wt+performance.now()}i(b,"now");var kt=2147483647;function St(t,e){
return new Promise(n=>{let r=e<=kt?setTimeout(n,e):void 0,o=i(()=>{clearTimeout(r),n()},"over");t.then(o,o)})}i(St,"with\
in");var te=class{static{i(this,"Alarm")}timer;at=0;held=!1;keeps;ring;constructor(e){this.ring=()=>{this.timer=void 0,b()<
this.at?this.arm():e()}}set(e){this.at=e,this.timer!==void 0&&clearTimeout(this.timer),this.arm()}hold(e){if(this.held===
e)return;this.held=e;let n=this.timer;e?n?.ref?.():n?.unref?.()}stop(){this.timer!==void 0&&clearTimeout(this.timer),this.
timer=void 0}arm(){this.timer=setTimeout(this.ring,Math.min(Math.max(Math.ceil(this.at-b()),1),kt)),this.held||this.timer.
unref?.()}};var At=[[0,32],[127,160],[5760,5760],[8192,8202],[8232,8233],[8239,8239],[8287,8287],[12288,12288]],Rn=[[173,173],[847,847],
[1564,1564],[4447,4448],[6068,6069],[6155,6159],[8203,8203],[8206,8207],[8234,8238],[8288,8303],[12644,12644],[65024,65037],
[65279,65279],[65440,65440],[65520,65531],[65534,65535],[113824,113827],[119155,119162],[917504,921599]],jn=[["'","’"],
['"',"’"],["`","’"],["“","‘"],["”","’"],["[","("],["]",")"],["<","‹"],[">","›"],["＇","’"],["＂","’"],
["｀","’"],["［","("],["］",")"],["＜","‹"],["＞","›"]],X=80,Le=500,De=300,xt=80;function Pn(t,e){return t.some(([n,r])=>n<=e&&e<=r)}i(Pn,"isIn");var vt;function ko(){let t=jn.map(([r])=>r),n=`[${Array.
from({length:94},(r,o)=>String.fromCharCode(33+o)).filter(r=>!t.includes(r)).map(r=>`\\x${r.charCodeAt(0).toString(16)}`).
join("")}]+`;return new RegExp(`^${n}(?: ${n})*$`)}i(ko,"plainWords");function I(t,e=xt){if(vt??=ko(),t.length<=e&&vt.test(
t))return t;let n="",r=0,o=!1;for(let s of t){let a=s.codePointAt(0);if(Pn(Rn,a))continue;if(Pn(At,a)){o=r>0;continue}let u=r+
(o?2:1);if(u>e)return`${n}…`;let d=a>=55296&&a<=57343?"�":jn.find(([c])=>c===s)?.[1]??s;n+=o?` ${d}`:d,o=!1,r=u}return n}
i(I,"quoted");function Ke(t){let e="";for(let n of JSON.stringify(t)){let r=n.codePointAt(0),o=r<127||r>160&&r!==8232&&r!==8233&&!Pn(Rn,
r);e+=o?n:So(n)}return e}i(Ke,"jsonForModel");function So(t){return Array.from({length:t.length},(e,n)=>`\\u${t.charCodeAt(
n).toString(16).padStart(4,"0")}`).join("")}i(So,"escaped");var Tt=!1;function En(t){Tt=t}i(En,"withinCore");function Ae(t){try{for(let e=t,n=0;e instanceof Error&&n<8;e=e.cause,n+=
1)e.stack}catch{}}i(Ae,"letStackGo");var w=class extends Error{static{i(this,"SubAgentError")}name="SubAgentError";code;details;constructor(e,n,r={},o){
super(n,o),this.code=e,this.details=r,Tt&&Ae(this)}};var Ot=new WeakMap;function Be(t,e){return e!==t.message&&Ot.set(t,e),t}i(Be,"tellingModels");function Ue(t){return Ot.get(
t)??A(t)}i(Ue,"toldOf");function g(t,e,n){let r=`${t} must be ${e}, got ${k(n)}`;return new w("invalid_argument",r,{argument:t.
replaceAll("`",""),expected:e})}i(g,"invalid");function k(t){return typeof t=="string"?t.length>40?`a string of ${t.length}\
 characters`:Ke(t):t==null||typeof t=="number"||typeof t=="boolean"?String(t):typeof t=="object"?Ao(t)?"a list":"an obje\
ct":`a ${typeof t}`}i(k,"describe");function Ao(t){try{return Array.isArray(t)}catch{return!1}}i(Ao,"isList");function A(t){
try{if(typeof t=="string")return t;if(t instanceof Error)return String(t.message)||String(t.name)||"an error without a m\
essage";if(typeof t=="object"&&t!==null&&typeof t.message=="string")return t.message}catch{}return`threw ${k(t)}`}i(A,"m\
essageOf");var We=class{static{i(this,"Scratch")}view=new Uint8Array(0);whole=new Uint8Array(0);encoder=new TextEncoder;decoder=new TextDecoder;core;memory;constructor(e,n){
this.core=e,this.memory=n}write(e,n=0){let r=n+e.length*3;return(this.view.length<r||this.view.length===0)&&this.grow(r),
this.encoder.encodeInto(e,n===0?this.view:this.view.subarray(n)).written}writeAll(e){let n=3*e.reduce((o,s)=>o+re(s),0);
(this.view.length<n||this.view.length===0)&&this.grow(n);let r=0;return e.map(o=>{if(o===void 0)return 4294967295;let s=this.
write(o,r);return r+=s,s})}writeEnd(e){let{output:n,error:r,hostStatus:o,hostTaskId:s,artifactsJson:a,valueJson:u}=e,d=n.
length+re(r)+re(o)+re(s)+re(a)+re(u);(this.view.length<d*3||this.view.length===0)&&this.grow(d*3);let c={output:this.write(
n),error:4294967295,status:4294967295,id:4294967295,artifacts:4294967295,value:4294967295},f=c.output;return r!==void 0&&
(f+=c.error=this.write(r,f)),o!==void 0&&(f+=c.status=this.write(o,f)),s!==void 0&&(f+=c.id=this.write(s,f)),a!==void 0&&
(f+=c.artifacts=this.write(a,f)),u!==void 0&&(c.value=this.write(u,f)),c}writeBytes(e){return(this.view.length<e.length||
this.view.length===0)&&this.grow(e.length),this.view.set(e),e.length}read(e,n){return n===0?"":this.decoder.decode(new Uint8Array(
this.memory.buffer,e,n))}memoryView(){return this.whole.length===0&&(this.whole=new Uint8Array(this.memory.buffer)),this.
whole}copy(e,n){return new Uint8Array(this.memory.buffer,e,n).slice()}get memoryBytes(){return this.memory.buffer.byteLength}letGo(){
this.view=new Uint8Array(0),this.whole=new Uint8Array(0),this.core=void 0,this.memory={buffer:new ArrayBuffer(0)}}grow(e){
let n=Math.max(e,4096),r=this.core.scratch(n);this.view=new Uint8Array(this.memory.buffer,r,n)}};function re(t){return t===
void 0?0:t.length}i(re,"lengthOf");var Rt=new WeakMap;function Pt(t){if(vo(t))return t;let e=Rt.get(t);if(e===void 0){let n=new AbortController;t.addEventListener(
"abort",()=>jt(n,t),{once:!0}),Rt.set(t,n),e=n}return t.aborted===!0&&jt(e,t),e.signal}i(Pt,"tamed");function jt(t,e){let n;
try{({reason:n}=e)}catch(r){n=r}t.abort(n)}i(jt,"fire");var xo=["aborted","reason","addEventListener","removeEventListen\
er"];function vo(t){return Object.getPrototypeOf(t)===AbortSignal.prototype&&!xo.some(e=>Object.hasOwn(t,e))}i(vo,"isPla\
tforms");function It(t,e){let n=Et(t);if(n.length>40)return;let r,o=Number.POSITIVE_INFINITY;for(let s of e){let a=To(n,Et(s));a>=
o||(o=a,r=s)}return r}i(It,"nearestOf");function Et(t){return t.toLowerCase().replaceAll(/[_-]/g,"")}i(Et,"plain");function To(t,e){
let[n,r]=t.length<e.length?[t,e]:[e,t],o=Oo(t,e);return o<=Math.min(3,Math.floor(r.length/3))?o:n.length>=3&&r.startsWith(
n)?40+o:Number.POSITIVE_INFINITY}i(To,"distanceOf");function Oo(t,e){let n=[],r=Array.from({length:e.length+1},(o,s)=>s);
for(let o=1;o<=t.length;o+=1){let s=[o];for(let a=1;a<=e.length;a+=1){let u=t[o-1]===e[a-1],d=Math.min((r[a]??0)+1,(s[a-
1]??0)+1,(r[a-1]??0)+(u?0:1));o>1&&t[o-1]===e[a-2]&&t[o-2]===e[a-1]&&(d=Math.min(d,(n[a-2]??0)+1)),s.push(d)}[n,r]=[r,s]}
return r[e.length]??0}i(Oo,"editsOf");var _t=100,Ct=1048576,_=16777216;function O(t,e,n="an object"){return v(t,()=>{if(oe(t,e,n),Array.isArray(e))throw g(t,n,
e);let r=Object.create(null);for(let o of $t(e))for(let s of Object.getOwnPropertyNames(o))!(s in r)&&jo(o,s)&&Ro(r,s,e[s]);
return r})}i(O,"optionsOf");function Ro(t,e,n){Object.defineProperty(t,e,{value:n,enumerable:!0,configurable:!0,writable:!0})}
i(Ro,"define");function jo(t,e){let{enumerable:n,get:r}=Object.getOwnPropertyDescriptor(t,e)??{};return n===!0||r!==void 0}
i(jo,"isGiven");function $t(t){let e=[t],n=Object.getPrototypeOf(t);for(;n!==null&&!Po(n);){if(e.push(n)>_t)throw new Error(
`it inherits from more than ${_t} objects`);n=Object.getPrototypeOf(n)}return e}i($t,"levelsOf");function Po(t){return t===
Object.prototype||Object.getPrototypeOf(t)===null&&Object.hasOwn(t,"hasOwnProperty")}i(Po,"isRoot");function C(t,e){return Object.
hasOwn(t,e)||Object.getPrototypeOf(t)!==Object.prototype&&$t(t).some(r=>Object.hasOwn(r,e))?t[e]:void 0}i(C,"propertyOf");
function oe(t,e,n="an object"){if(typeof e=="object"&&e!==null)return e;throw g(t,n,e)}i(oe,"objectOf");function L(t,e,n,r){
return v(t,()=>{if(!Array.isArray(n))throw g(t,e,n);let{length:o}=n;if(!(o<=Ct))throw g(t,`a list of at most ${Ct} entri\
es`,o);let s=[];for(let a=0;a<o;a+=1){let u=t.endsWith("`")?`${t.slice(0,-1)}[${a}]\``:`${t}[${a}]`;s.push(r(Object.hasOwn(
n,a)?v(u,()=>n[a]):void 0,u))}return s})}i(L,"listOf");function Mt(t,e){return L(t,"a list",e,n=>n)}i(Mt,"entriesOf");function P(t,e){
if(typeof e!="string")throw g(t,"a string",e);if(e.length>_)throw g(t,`a text of at most ${_} characters`,e);return e}i(
P,"textOf");function se(t,e){let n=P(t,e);if(In(n))return n;throw g(t,"well-formed text, as `toWellFormed()` makes it",e)}
i(se,"nameOf");function In(t){return t.isWellFormed?.()??!Eo.test(t)}i(In,"isWellFormed");var Eo=/\p{Surrogate}/u;function Nt(t,e,n,r=`\
the options of ${t}`){return v(r,()=>{let o=O(r,e),s=Object.keys(o).find(a=>!n.includes(a));if(s!==void 0)throw xe(t,s,n);
return o})}i(Nt,"knownOptions");function G(t,e){return new w("invalid_argument",`${t} say the same: give one`,{argument:e})}i(G,"saidTwice");function xe(t,e,n){
return ve(`${t} has no option \`${e}\``,e,n,{argument:e})}i(xe,"unknownOption");function J(t,e,n){let[r]=Object.keys(e);
if(r===void 0)return;let o=`${t}.${r}`;throw ve(`\`${t}\` has no \`${r}\``,r,n,{argument:o},`; it has ${n.join(", ")}`)}
i(J,"noOtherFields");function Ge(t,e,n){return ve(`${t} has no \`${e}\``,e,n,{argument:e},`; it has ${n.join(", ")}`)}i(
Ge,"unknownField");function ve(t,e,n,r,o=""){let s=It(e,n);return s===void 0?new w("invalid_argument",t+o,r):new w("inva\
lid_argument",`${t}; did you mean \`${s}\`?`,{...r,suggestion:s})}i(ve,"unknownPart");function v(t,e){try{return e()}catch(n){
throw _n(t,n)}}i(v,"readArgument");function _n(t,e){return Cn(e)?e:new w("invalid_argument",`${t} can't be read: ${A(e)}`,
{argument:t.replaceAll("`","")},{cause:e})}i(_n,"unreadable");function Cn(t){try{return t instanceof w}catch{return!1}}i(
Cn,"isOurs");function Je(t,e){if(e!==void 0)return v(t,()=>{let{aborted:n,addEventListener:r,removeEventListener:o}=Object(
e);if(typeof n=="boolean"&&typeof r=="function"&&typeof o=="function")return Pt(e);throw g(t,"an AbortSignal",e)})}i(Je,
"signalOf");var Io=100,_o=500,Co=["completed","cancelled","blocked_on_user"];function $o({status:t="pending"}){return!Co.includes(t)}
i($o,"isOpenTodo");function Ft(t){let e=0,n=[],r=L("`todos`","a list of { content, status }",t,(o,s)=>{let{content:a,description:u,
status:d="pending"}=Object(o),c=a??u;if(typeof c!="string")throw g(`the \`content\` or \`description\` of ${s}`,"a strin\
g",c);if(typeof d!="string")throw g(`the \`status\` of ${s}`,"a string",d);return{content:c,status:d}});for(let{content:o,
status:s}of r){let a={content:He(o,_o),status:He(s,40)};$o(a)&&(e+=1),n.length<Io&&n.push(a)}return{open:e,json:JSON.stringify(
n)}}i(Ft,"readTodos");function Lt(t,{slot:e,generation:n,run:r},{open:o,json:s}){let a=t.write(s);t.act(u=>u.todos(b(),e,
n,r,o,a))}i(Lt,"reportTodos");function Te(t){return t===""?[]:JSON.parse(t)}i(Te,"parseTodos");function He(t,e){return t.
length<=e?t:Array.from(t.slice(0,e*2)).slice(0,e).join("")}i(He,"firstChars");function D(t,e){return e===void 0?void 0:P(t,e)}i(D,"string");function q(t,e){return e===void 0?void 0:L(t,"a list of st\
rings",e,(n,r)=>P(r,n))}i(q,"strings");function ie(t,e){return e===void 0?void 0:se(t,e)}i(ie,"name");function R(t,e){if(e!==
void 0){if(typeof e=="number"&&e>=1&&(Number.isInteger(e)||e===Number.POSITIVE_INFINITY))return e;throw g(t,"a whole num\
ber of at least 1, or Infinity",e)}}i(R,"count");function $n(t,e){if(e!==void 0){if(typeof e=="number"&&e>0)return e;throw g(
t,"a number above 0, or Infinity",e)}}i($n,"amount");function ae(t,e,n=!1){if(e!==void 0){if(n&&e===0)return 0;if(typeof e==
"number"&&e>0)return Math.max(1,Math.round(e));throw g(t,`milliseconds ${n?"of at least":"above"} 0, or Infinity`,e)}}i(
ae,"duration");function Dt(t,e){if(e!==void 0){if(typeof e=="number"&&Number.isSafeInteger(e))return e;throw g(t,"a whol\
e number",e)}}i(Dt,"integer");function Oe(t,e){if(e===void 0)return{};let n=O(`\`${t}\``,e,"an object with tokens, costU\
sd or turns"),{tokens:r,costUsd:o,turns:s,...a}=n;J(t,a,["tokens","costUsd","turns"]);let u={},[d,c,f]=[R(`\`${t}.tokens\
\``,r),$n(`\`${t}.costUsd\``,o),R(`\`${t}.turns\``,s)];return d!==void 0&&(u.tokens=d),c!==void 0&&(u.costUsd=c),f!==void 0&&
(u.turns=f),u}i(Oe,"readBudget");function Y(t){let e=t;return e.isWellFormed?.()===!1?e.toWellFormed?.()??t:t}i(Y,"wellFormed");function Kt(t,e){let n=0;
for(let r=0;r<t.length;){let o=t.codePointAt(r);if(n+=o<128?1:o<2048?2:o<65536?3:4,n>e)return t.slice(0,r);r+=o>65535?2:
1}return t}i(Kt,"headOf");function Ve(t,e,n,r={left:e}){let o=Math.max(0,r.left-e),s=JSON.stringify(t,(a,u)=>{if(r.left-=typeof u=="string"?u.length:
1,r.left<o)throw new Error(n);return u});if(s!==void 0&&s.length>e)throw new Error(n);return s}i(Ve,"jsonWithin");var qe=20,Mo=1e3;function Bt(t,e,n){let r=[],o=[],s=_,a={left:2*_},u=0;return L(t,"a list",e,(d,c)=>{if(u>=qe&&a.left===
0){u+=1;return}try{let f=Ve(d,s,`the artifacts have more than ${_} characters`,a);if(f===void 0)throw new Error(`JSON ha\
s no ${k(d)}`);s=Math.max(0,s-f.length-1),o.push(f),r.push(d)}catch(f){u+=1,a.left=Math.max(0,a.left-Mo),u<=qe&&n(`${c} \
was not kept: ${A(f)}`,c)}}),u>qe&&n(`${u-qe} more artifacts were not kept`,t),o.length===0?{artifacts:void 0,artifactsJson:void 0}:
{artifacts:r,artifactsJson:`[${o.join(",")}]`}}i(Bt,"readArtifacts");var ue=0,No=1,Fo=2,Lo=3,Do=4,Ye=5,E=-1;function ce(t){if(typeof t!="object"||t===null)return je(`spawnSubAgent must reso\
lve to { output, status, usage }, it resolved to ${k(t)}`);let e=new Mn(t),{tokens:n,cost:r,turns:o,durationMs:s}=Uo(e),
a=e.read("status"),u=e.read("output"),d=Ho(a,e),c=typeof u=="string"?Y(u):void 0,f=Ko(e),l=c===void 0&&(Re(u)?d===ue&&f===
void 0:!0);l&&e.wrong("output","a string",u);let{artifacts:m,artifactsJson:p}=Jo(e),h=Bo(e),y=Go(e);return{how:l&&d===ue?
Ye:d,output:c??"",error:e.told(y),cause:e.cause,hostStatus:typeof a=="string"&&a!=="completed"?Nn(a):void 0,hostTaskId:h,
artifacts:m,artifactsJson:p,value:f,valueJson:void 0,tokens:n,cost:r,turns:o,durationMs:s}}i(ce,"readResult");var de=Symbol(
"unreadable"),Mn=class{static{i(this,"Fields")}cause=void 0;#e;#n;constructor(e){this.#e=e}read(e){try{return C(this.#e,
e)}catch(n){return this.#n===void 0&&(this.cause=n),this.drop(`the result's ${e} can't be read: ${A(n)}`),de}}wrong(e,n,r){
r!==de&&this.drop(`the result's ${e} must be ${n}, got ${k(r)}`)}drop(e){this.#n??=[],this.#n.push(e)}told(e){return this.#n===
void 0?e:[...e===void 0?[]:[e],...this.#n].join("; ")}};function Re(t){return t==null}i(Re,"isAbsent");function Ko(t){let e=t.
read("value");return e===de?void 0:e}i(Ko,"madeOf");function Bo(t){let e=t.read("taskId");if(!(Re(e)||e==="")){if(typeof e==
"string")return Nn(e);t.wrong("taskId","a string",e)}}i(Bo,"hostIdOf");function Uo(t){let e=t.read("usage");if(Re(e))return{
tokens:E,cost:E,turns:E,durationMs:E};let n=Number.NaN;if(typeof e!="object"||e===null||!Wo(e))return t.wrong("usage","{\
 tokens, cost, turns }",e),{tokens:n,cost:n,turns:n,durationMs:E};let r=i(o=>{try{return C(e,o)}catch{return n}},"read");
return{tokens:Fn(r("tokens"),r("inputTokens"),r("outputTokens")),cost:H(r("cost")),turns:H(r("turns")),durationMs:H(r("d\
urationMs"))}}i(Uo,"readUsage");function Wo(t){try{return!Array.isArray(t)&&typeof C(t,"then")!="function"}catch{return!1}}
i(Wo,"isUsage");function Go(t){let e=t.read("error");if(!(Re(e)||e===""||e===de))return typeof e=="object"&&(t.cause??=e),
Y(Nn(A(e)))}i(Go,"errorOf");function Jo(t){let e=t.read("artifacts");if(Re(e)||e===de)return{};try{return Bt("artifacts",
e,n=>t.drop(n))}catch(n){return t.drop(A(n)),{}}}i(Jo,"artifactsOf");function Nn(t){return t.length>_?t.slice(0,_):t}i(Nn,
"cut");function Wt(t,e,n){if(t.how!==ue)return t;let r=e.check(t.value,n);return r instanceof Promise?r.then(o=>Ut(t,o)):
Ut(t,r)}i(Wt,"checkValue");function Ut(t,e){if("wrong"in e){let o=[e.wrong,...t.error===void 0?[]:[t.error]].join("; ");
return{...t,how:Ye,error:o,value:void 0}}let{value:n,json:r}=e;return{...t,value:n,valueJson:r,output:t.output||r}}i(Ut,
"judged");function H(t){return t==null?E:typeof t=="number"&&t>=0?t:Number.NaN}i(H,"reading");function Fn(t,e,n){let r=H(
t),[o,s]=[H(e),H(n)];return r!==E||o===E&&s===E?r:(o===E?0:o)+(s===E?0:s)}i(Fn,"totalTokens");function Ho(t,e){switch(t){case void 0:case null:case"\
completed":return ue;case"failed":case"error":return No;case"cancelled":case"aborted":return Fo;case"timed_out":case"tim\
eout":return Lo;default:return typeof t!="string"&&e.wrong("status","a string",t),t===de?Ye:ue}}i(Ho,"statusOf");function je(t,e){
return{how:Ye,output:"",error:t,cause:e,hostStatus:void 0,hostTaskId:void 0,artifacts:void 0,artifactsJson:void 0,value:void 0,
valueJson:void 0,tokens:E,cost:E,turns:E,durationMs:E}}i(je,"invalidResult");function fe(){return{...je(""),how:ue,error:void 0,
tokens:0,cost:0,turns:0}}i(fe,"nothing");function ze(t,e){return{...je(t,e),how:Do}}i(ze,"threw");var Vo=["tokens","inputTokens","outputTokens","costUsd","contextTokens","message","todos"];function Jt(t,e,n){let r,o=Number.
NaN;try{n!==void 0&&(o=qo(n));let s=e.agent;if(e.turn!==void 0||s?.asksForTurn===!0)throw new w("invalid_argument","the \
last beforeTurn has not answered yet");let{gates:a,runs:u}=t;if(a.sub.has("before_turn")||s?.hasInjected===!0)return Gt(
e,a.beforeTurn(a.agentOf(e),()=>u.takeTurn(e,o)));r=u.takeTurn(e,o)}catch(s){return Promise.reject(s)}return e.watch===void 0?
r:Gt(e,r)}i(Jt,"beforeTurn");async function Gt(t,e){let n=await e;return n.go&&t.watch?.(t,{turn:n.turn}),n}i(Gt,"watche\
d");function qo(t){return v("the options of beforeTurn",()=>{let{tokens:e}=Nt("beforeTurn",t,["tokens"]);return R("`toke\
ns`",e)??Number.NaN})}i(qo,"estimateOf");function Ht(t,e,n){let{tokens:r,costUsd:o,contextTokens:s,message:a,list:u}=v("\
a report",()=>{let{tokens:m,inputTokens:p,outputTokens:h,costUsd:y,contextTokens:S,message:x,todos:$,...Se}=O("a report",
n),bo=Fn(m,p,h);for(let yo of Object.keys(Se))throw Ge("a report",yo,Vo);return x!==void 0&&P("`message`",x),{tokens:bo,
costUsd:y,contextTokens:S,message:x,list:$===void 0?void 0:Ft($)}});if(t.isClosed)return;a!==void 0&&t.gates.agentOf(e).
say(a);let d=a===void 0?4294967295:t.write(a),{slot:c,generation:f,run:l}=e;t.act(m=>m.report(b(),c,f,l,r,H(o),H(s),d)),
u!==void 0&&Lt(t,e,u),a!==void 0&&e.watch?.(e,{message:a})}i(Ht,"reportOn");var Xe=class{static{i(this,"BareRun")}#e;#n;constructor(e,n){this.#e=e,this.#n=n}get taskId(){return this.#n.taskId}get run(){
return this.#n.run}get prompt(){return this.#n.prompt()}get signal(){return this.#n.signal}beforeTurn(e){return Jt(this.#e,
this.#n,e)}report(e){Ht(this.#e,this.#n,e)}};var Vt;function Yt(){return Vt??={capture:Yo(globalThis)},Vt.capture}i(Yt,"capture");function Yo({process:t,AsyncLocalStorage:e,AsyncContext:n}){let r=qt(zo(t))??qt(e&&{AsyncLocalStorage:e});if(r!==void 0)
return r;let o=n?.Snapshot;if(typeof o=="function")return Dn(()=>{let s=new o;return{runInAsyncScope:i((a,u,...d)=>s.run(
()=>a.apply(u,d)),"runInAsyncScope")}})}i(Yo,"find");function zo(t){try{return t?.getBuiltinModule?.("async_hooks")}catch{
return}}i(zo,"builtIn");function qt(t){let{AsyncResource:e,AsyncLocalStorage:n}=t??{};if(typeof e=="function")return Dn(
()=>new e("SubAgent"));if(typeof n?.snapshot=="function")return Dn(()=>{let r=n.snapshot();return{runInAsyncScope:i((o,s,...a)=>r(
()=>o.apply(s,a)),"runInAsyncScope")}})}i(qt,"captureOf");function Dn(t){try{return t().runInAsyncScope(()=>!0)?t:void 0}catch{
return}}i(Dn,"tried");function le(t){let e=Yt()?.();return e===void 0?t:((...n)=>e.runInAsyncScope(t,void 0,...n))}i(le,
"bound");var Qe=class{static{i(this,"Contexts")}kept=[];generations=[];capture=Yt();opening=this.capture?.();entered=void 0;get matter(){
return this.capture!==void 0}keep(e,n){this.capture!==void 0&&(this.kept[e]=this.capture(),this.generations[e]=n)}enter(e){
let n=this.entered;return this.entered=this.kept[e],n}leave(e){this.entered=e}run(e,n,r){let o=this.generations[e]===n?this.
kept[e]:this.opening;return o===void 0||o===this.entered?r():o.runInAsyncScope(r)}taskForgotten(e,n){this.generations[e]===
n&&(this.kept[e]=void 0)}clear(){this.kept.length=0,this.generations.length=0}};var Bn=16384,zt=32;function Xt(t,e){if(e===void 0)return;if(typeof e!="object"||e===null||Array.isArray(e))throw Ze(t,"a\
 plain object of JSON values",e);return Un(e,t,0,{left:Bn})}i(Xt,"readMetadata");function Qt(t){return t===null?null:JSON.
parse(t)}i(Qt,"metadataOf");function Ze(t,e,n){return g(`\`${t}\``,e,n)}i(Ze,"wrong");function Un(t,e,n,r){if(typeof t==
"string"||typeof t=="boolean"||t===null)return Kn(JSON.stringify(t),r);if(typeof t=="number"){if(!Number.isFinite(t))throw Ze(
e,"a number that JSON has",t);return Kn(JSON.stringify(t),r)}if(typeof t!="object")throw Ze(e,"a value that JSON has",t);
if(n>=zt)throw new w("invalid_argument",`\`${e}\` nests deeper than ${zt} levels`,{argument:e});if(r.left-=2,Array.isArray(
t)){let a=[];for(let u=0;u<t.length;u+=1){if(!Object.hasOwn(t,u))throw Ze(`${e}[${u}]`,"a value that JSON has",void 0);a.
push(Un(t[u],`${e}[${u}]`,n+1,r))}return`[${a.join(",")}]`}let o=Object.getPrototypeOf(t);if(o!==null&&Object.getPrototypeOf(
o)!==null)throw new w("invalid_argument",`\`${e}\` must be a plain object of JSON values, got ${k(t)} of a class`,{argument:e});
let s=[];for(let a of Object.keys(t)){let u=t[a];if(u===void 0)continue;let d=Kn(JSON.stringify(a),r);s.push(`${d}:${Un(
u,/^[\w$]{1,40}$/.test(a)?`${e}.${a}`:`${e}[…]`,n+1,r)}`)}return`{${s.join(",")}}`}i(Un,"jsonOf");function Kn(t,e){if(e.
left-=t.length+1,e.left>=0)return t;let n=`\`metadata\` must have at most ${Bn} characters of JSON: keep what is larger \
yourself, under the sub-agent's id`;throw new w("invalid_argument",n,{argument:"metadata",limit:Bn})}i(Kn,"spent");var z=["pending","running","idle","completed","failed","timed_out","cancelled","interrupted","closed"],T=["finished","ho\
st_failed","host_threw","invalid_result","host_cancelled","host_timed_out","timeout","idle_timeout","max_turns","budget_\
exhausted","cancelled","ancestor_cancelled","parent_ended","interrupted","closed","signal_aborted","drained","policy","m\
arked_failed","host_lost","never_reported"],en=["host_threw","host_failed","host_lost","invalid_result","host_timed_out",
"host_cancelled"];var Zt=["before_spawn","before_start","before_turn","before_tool","after_tool","before_end","on_timeout"],er=["inject","\
force_turn","block","finish"],Wn=["adopt","wait","cancel"];function nn(t,e){if(e===void 0)return;if(e===!1)return{max:0};let{max:n,backoffMs:r,on:o,...s}=O(`\`${t}\``,e);J(t,s,["m\
ax","backoffMs","on"]);let a=R(`\`${t}.max\``,n);if(a===void 0)throw g(`\`${t}.max\``,"a whole number of at least 1, or \
Infinity",n);let u={max:a};if(r!==void 0){if(typeof r!="number"||!(r>0)||!Number.isFinite(r))throw g(`\`${t}.backoffMs\``,
"milliseconds above 0",r);u.backoffMs=Math.max(1,Math.round(r))}if(o!==void 0){let d=`a list of ${en.join(", ")}`;if(u.on=
L(`\`${t}.on\``,d,o,(c,f)=>{if(!en.includes(c))throw g(f,`one of ${en.join(", ")}`,c);return c}),u.on.length===0)throw g(
`\`${t}.on\``,d,o)}return u}i(nn,"readRetry");var Xo=new Set(["$schema","$id","$comment","$defs","definitions","title","description","default","examples","deprecated",
"readOnly","writeOnly","format"]),Gn={string:i(t=>typeof t=="string","string"),number:i(t=>typeof t=="number","number"),
integer:i(t=>Number.isInteger(t),"integer"),boolean:i(t=>typeof t=="boolean","boolean"),null:i(t=>t===null,"null"),array:i(
t=>Array.isArray(t),"array"),object:M};function tr(t){return new qn(t).read(t,"")}i(tr,"readJsonSchema");var qn=class{static{
i(this,"Reader")}#e;#n=new Map;constructor(e){this.#e=e}read(e,n){if(e===!0)return()=>{};if(e===!1)return(a,u)=>`${u} mu\
st not be there`;if(!M(e))throw N(n,`must be an object or a boolean, got ${k(e)}`);let r=this.#n.get(e);if(r!==void 0)return r;
let o=[],s=i((a,u)=>{for(let d of o){let c=d(a,u);if(c!==void 0)return c}},"check");this.#n.set(e,s);for(let a of Object.
keys(e)){if(Xo.has(a))continue;let u=Object.hasOwn(Yn,a)?Yn[a]:void 0;if(u===void 0)throw N(n,`has \`${a}\`, which is not\
 checked here; it may have ${ns}`);o.push(u({reader:this,schema:e,place:`${n}/${a}`,given:e[a]}))}return s}find(e,n){if(e===
"#")return this.#e;if(!e.startsWith("#/"))throw N(n,`refers to ${k(e)}; only references within the schema are read`);let r=this.#e;
for(let o of e.slice(2).split("/")){let s=o.replaceAll("~1","/").replaceAll("~0","~");r=M(r)&&Object.hasOwn(r,s)?r[s]:void 0}
if(r===void 0)throw N(n,`refers to ${k(e)}, which is not there`);return r}};function N(t,e){let n=t===""?"`schema`":`\`sc\
hema\` at ${t}`;return new w("invalid_argument",`${n} ${e}`,{argument:"schema"})}i(N,"refused");function M(t){return typeof t==
"object"&&t!==null&&!Array.isArray(t)}i(M,"isObject");function K({given:t,place:e},n=Number.NEGATIVE_INFINITY){if(typeof t==
"number"&&t>=n)return t;throw N(e,`must be a number${n===0?" of at least 0":""}, got ${k(t)}`)}i(K,"number");function Pe({
given:t,place:e}){if(Array.isArray(t)&&t.length>0)return t;throw N(e,`must be a list that is not empty, got ${k(t)}`)}i(
Pe,"list");function Qo({given:t,place:e}){if(M(t))return t;throw N(e,`must be an object, got ${k(t)}`)}i(Qo,"object");var Ee=i(
(t,e)=>(n,r)=>typeof n=="number"&&!t(n)?`${r} must be ${e}`:void 0,"ofNumbers"),Jn=i((t,e)=>(n,r)=>typeof n=="string"&&!t(
n)?`${r} must have ${e}`:void 0,"ofTexts"),Hn=i((t,e)=>(n,r)=>Array.isArray(n)&&!t(n)?`${r} must have ${e}`:void 0,"ofLi\
sts");function tn(t,e){if(Object.is(t,e)||t===e)return!0;if(Array.isArray(t)&&Array.isArray(e))return t.length===e.length&&
t.every((o,s)=>tn(o,e[s]));if(!M(t)||!M(e))return!1;let[n,r]=[Object.keys(t),Object.keys(e)];return n.length===r.length&&
n.every(o=>Object.hasOwn(e,o)&&tn(t[o],e[o]))}i(tn,"same");function Zo(t){return JSON.stringify(t,(e,n)=>M(n)?Object.fromEntries(
Object.entries(n).sort(([r],[o])=>r<o?-1:1)):n)}i(Zo,"canonical");var nr=i(t=>[...t].length,"points"),Vn=i((t,e)=>/^[A-Za-z_$][\w$]*$/.
test(e)?`${t}.${e}`:`${t}[${JSON.stringify(e)}]`,"field"),Yn={type({given:t,place:e}){let n=Array.isArray(t)?t:[t],r=n.map(
s=>typeof s=="string"&&Object.hasOwn(Gn,s)?Gn[s]:void 0);if(r.length===0||r.includes(void 0))throw N(e,`must be ${Object.
keys(Gn).join(", ")}, or a list of these; got ${k(t)}`);let o=n.join(" or ");return(s,a)=>r.some(u=>u?.(s))?void 0:`${a}\
 must be of the type ${o}, got ${k(s)}`},enum(t){let e=Pe(t);return(n,r)=>e.some(o=>tn(o,n))?void 0:`${r} must be one of\
 ${JSON.stringify(e)}`},const({given:t}){return(e,n)=>tn(t,e)?void 0:`${n} must be ${JSON.stringify(t)}`},properties(t){
let e=Object.entries(Qo(t)).map(([n,r])=>[n,t.reader.read(r,`${t.place}/${n}`)]);return(n,r)=>{if(M(n))for(let[o,s]of e){
let a=Object.hasOwn(n,o)?s(n[o],Vn(r,o)):void 0;if(a!==void 0)return a}}},required({given:t,place:e}){if(!Array.isArray(
t)||!t.every(r=>typeof r=="string"))throw N(e,"must be a list of names");let n=t;return(r,o)=>{let s=M(r)?n.find(a=>!Object.
hasOwn(r,a)):void 0;return s===void 0?void 0:`${Vn(o,s)} is missing`}},additionalProperties({reader:t,schema:e,given:n,place:r}){
let o=new Set(M(e.properties)?Object.keys(e.properties):[]),s=t.read(n,r);return(a,u)=>{if(M(a))for(let d of Object.keys(
a)){let c=o.has(d)?void 0:s(a[d],Vn(u,d));if(c!==void 0)return c}}},minProperties:i(t=>{let e=K(t,0);return(n,r)=>M(n)&&
Object.keys(n).length<e?`${r} must have at least ${e} fields`:void 0},"minProperties"),maxProperties:i(t=>{let e=K(t,0);
return(n,r)=>M(n)&&Object.keys(n).length>e?`${r} must have at most ${e} fields`:void 0},"maxProperties"),items({reader:t,
schema:e,given:n,place:r}){let o=Array.isArray(e.prefixItems)?e.prefixItems.length:0,s=t.read(n,r);return(a,u)=>{if(Array.
isArray(a))for(let d=o;d<a.length;d+=1){let c=s(a[d],`${u}[${d}]`);if(c!==void 0)return c}}},prefixItems(t){let e=Pe(t).
map((n,r)=>t.reader.read(n,`${t.place}/${r}`));return(n,r)=>{if(Array.isArray(n))for(let[o,s]of e.entries()){let a=o<n.length?
s(n[o],`${r}[${o}]`):void 0;if(a!==void 0)return a}}},minItems:i(t=>{let e=K(t,0);return Hn(n=>n.length>=e,`at least ${e}\
 entries`)},"minItems"),maxItems:i(t=>{let e=K(t,0);return Hn(n=>n.length<=e,`at most ${e} entries`)},"maxItems"),uniqueItems:i(
({given:t})=>Hn(e=>t!==!0||new Set(e.map(Zo)).size===e.length,"no entry twice"),"uniqueItems"),minimum:i(t=>{let e=K(t);
return Ee(n=>n>=e,`at least ${e}`)},"minimum"),maximum:i(t=>{let e=K(t);return Ee(n=>n<=e,`at most ${e}`)},"maximum"),exclusiveMinimum:i(
t=>{let e=K(t);return Ee(n=>n>e,`more than ${e}`)},"exclusiveMinimum"),exclusiveMaximum:i(t=>{let e=K(t);return Ee(n=>n<
e,`less than ${e}`)},"exclusiveMaximum"),multipleOf:i(t=>{let e=K(t);if(e<=0)throw N(t.place,"must be above 0");return Ee(
i(r=>Math.abs(r/e-Math.round(r/e))<1e-9,"isWhole"),`a multiple of ${e}`)},"multipleOf"),minLength:i(t=>{let e=K(t,0);return Jn(
n=>nr(n)>=e,`at least ${e} characters`)},"minLength"),maxLength:i(t=>{let e=K(t,0);return Jn(n=>nr(n)<=e,`at most ${e} c\
haracters`)},"maxLength"),pattern({given:t,place:e}){let n;try{n=new RegExp(t,"u")}catch(r){throw N(e,`is no regular exp\
ression: ${r.message}`)}return Jn(r=>n.test(r),`the pattern ${n.source}`)},allOf(t){let e=Pe(t).map((n,r)=>t.reader.read(
n,`${t.place}/${r}`));return(n,r)=>e.reduce((o,s)=>o??s(n,r),void 0)},anyOf(t){let e=Pe(t).map((n,r)=>t.reader.read(n,`${t.
place}/${r}`));return(n,r)=>{let o=e.map(s=>s(n,r));return o.includes(void 0)?void 0:`${r} fits none of the alternatives\
: ${o.join("; ")}`}},oneOf(t){let e=Pe(t).map((n,r)=>t.reader.read(n,`${t.place}/${r}`));return(n,r)=>{let o=e.map(a=>a(
n,r)),s=o.filter(a=>a===void 0).length;if(s!==1)return s>1?`${r} fits ${s} alternatives, not one`:`${r} fits none of the\
 alternatives: ${o.join("; ")}`}},not({reader:t,given:e,place:n}){let r=t.read(e,n);return(o,s)=>r(o,s)===void 0?`${s} m\
ust not be as it is`:void 0},$ref({reader:t,given:e,place:n}){if(typeof e!="string")throw N(n,`must be a text, got ${k(e)}`);
return t.read(t.find(e,n),e)}},es=Object.keys(Yn),ns=es.join(", ");function rr(t){if(t===void 0)return;if((typeof t=="object"&&t!==null||typeof t=="function")&&"~standard"in t)return ts(t);
if(typeof t!="object"||t===null||Array.isArray(t))throw g("`schema`","a Standard Schema or a JSON Schema object",t);let n=tr(
t);return{schema:t,check(r,o){if(r===void 0)return or;let s=sr(r,o);if("wrong"in s)return s;let a=JSON.parse(s.json);try{
let u=n(a,"value");return u===void 0?{value:a,json:s.json}:{wrong:u}}catch(u){return{wrong:`the schema failed: ${A(u)}`}}}}}
i(rr,"readSchema");var or={wrong:"the result has no `value`, and its `schema` asks for one"};function ts(t){let e=t["~st\
andard"],{validate:n}=typeof e=="object"&&e!==null?e:{};if(typeof n!="function")throw g("`schema`","a Standard Schema wi\
th `validate`",t);return{schema:t,check(r,o){if(r===void 0)return or;let s=i(u=>({wrong:`the schema failed: ${A(u)}`}),"\
failed"),a=i(u=>{try{return rs(u,o)}catch(d){return s(d)}},"judge");try{let u=n(r);return typeof u=="object"&&u!==null&&
typeof u.then=="function"?Promise.resolve(u).then(a,s):a(u)}catch(u){return s(u)}}}}i(ts,"readStandard");function rs(t,e){
if(typeof t!="object"||t===null)return{wrong:`the schema failed: it answered ${k(t)}`};if(t.issues!==void 0)return{wrong:t.
issues.map(os).join("; ")||"the schema refused the value"};let n=sr(t.value,e);return"wrong"in n?n:{value:t.value,json:n.
json}}i(rs,"judged");function os({message:t,path:e=[]}){return`value${e.map(r=>typeof r=="object"?r.key:r).map(String).map(
r=>/^\d+$/.test(r)?`[${r}]`:`.${r}`).join("")}: ${t}`}i(os,"sayIssue");function sr(t,e){let n=`as JSON, and \`maxResultBy\
tes\` allows ${e}`,r=Math.max(e,_),o;try{o=Ve(t,r,`it has more than ${r} bytes ${n}`)}catch(a){return{wrong:`value is no\
 JSON: ${A(a)}`}}if(o===void 0)return{wrong:`value is no JSON: ${k(t)}`};let s=o.length*3<=e?o.length:new TextEncoder().
encode(o).length;return s>e?{wrong:`value has ${s} bytes ${n}`}:{json:o}}i(sr,"store");function on(t){return t.staged??=lr(rn),t.staged}i(on,"stagedBy");var ss=["instructions","goal","message","task","taskDe\
scription","task_description"],rn={label:void 0,contextHint:void 0,tools:void 0,systemPrompt:void 0,maxTurns:void 0,maxSteps:void 0,
timeoutMs:void 0,idleTimeoutMs:void 0,turnEstimate:void 0,priority:void 0,modelId:void 0,agent:void 0,agentId:void 0,profile:void 0,
promptProfile:void 0,rateLimitKey:void 0,idempotencyKey:void 0,origin:void 0,format:void 0,nickname:void 0,onParentEnd:void 0,
retry:void 0,metadata:void 0},ir=new Set(Object.keys(rn)),ar=new Set(["instructions","goal","message","task","taskDescri\
ption","task_description","maxCost","budget","signal","schema"]);function Ie(t,e,n=!1){try{return is(t,e,n)}catch(r){throw _n(
"the options of spawn",r)}}i(Ie,"readSpawn");function is(t,e,n){let o=typeof t=="object"&&t!==null&&Object.getPrototypeOf(
t)===Object.prototype?t:O("the options of spawn",t),s={text:void 0,renamed:!1,background:!1,manual:!1,answers:0,tokens:Number.
NaN,cost:Number.NaN,turns:Number.NaN,staged:void 0,asked:void 0,signal:void 0,schema:void 0,watch:void 0},a,u=!1;for(let d of Object.
getOwnPropertyNames(o))if(d==="instructions")s.text=fr(o,d,s.text);else if(ir.has(d))a??={...rn},a[d]=o[d];else if(d==="\
background"){let{background:c}=o;if(c!==void 0&&typeof c!="boolean")throw g("`background`","a boolean",c);s.background=c===
!0,u=c!==void 0}else if(ar.has(d))ds(s,o,d);else if(Object.prototype.propertyIsEnumerable.call(o,d))throw xe("spawn",d,[
...ir,...ar,"background"]);if(Number.isNaN(s.cost)||(s.asked=ur(s,o)),a!==void 0||n&&!Number.isNaN(s.cost)){if(s.staged=
lr(a??rn),s.asked=ur(s,o),n&&as(s,s.staged),s.staged.idempotencyKey!==void 0&&(s.staged.parameters=us(s)),e?.agents.fill(
s,s.staged,u),s.staged.onParentEnd!==void 0&&!s.background)throw new w("invalid_argument","`onParentEnd` is for `backgro\
und: true`: others end with their caller",{argument:"onParentEnd"});s.staged.profile!==void 0&&e?.profiles.check(s.staged.
profile)}return s}i(is,"read");function ur({staged:t,cost:e},n){return{tools:t?.tools,maxTurns:Object.hasOwn(n,"maxTurns")?
t?.maxTurns:void 0,maxCost:Object.hasOwn(n,"maxCost")&&!Number.isNaN(e)?e:void 0}}i(ur,"askedOf");function as(t,e){e.wishedTurns=
e.maxTurns,e.maxTurns=void 0,!Number.isNaN(t.cost)&&(e.wishedCost=t.cost,t.cost=Number.NaN)}i(as,"wish");function us({signal:t,
renamed:e,schema:n,asked:r,staged:o,...s}){let{idempotencyKey:a,metadata:u,...d}=o;return JSON.stringify({...s,...d},(c,f)=>typeof f==
"number"?`${f}`:f)}i(us,"parametersOf");function fr(t,e,n){let r=t[e];if(r===void 0)return n;let o=P(`\`${e}\``,r),s=i(a=>new w(
"invalid_argument",`\`${e}\` ${a}`,{argument:e}),"wrong");if(n!==void 0)throw s(`says the same as another option: give o\
ne of ${ss.join(", ")}`);if(o.trim()==="")throw s("must not be empty");return Y(o)}i(fr,"readText");function ds(t,e,n){switch(n){case"\
maxCost":{let r=$n("`maxCost`",e.maxCost);r!==void 0&&(t.cost=dr(t.cost,r,"maxCost"));return}case"budget":{let r=Oe("bud\
get",e.budget);r.tokens!==void 0&&(t.tokens=r.tokens),r.costUsd!==void 0&&(t.cost=dr(t.cost,r.costUsd,"budget.costUsd")),
r.turns!==void 0&&(t.turns=r.turns);return}case"schema":{t.schema=rr(e.schema);return}case"signal":{t.signal=Je("`signal\
`",e.signal);return}default:{let r=fr(e,n,t.text);t.renamed||=r!==t.text,t.text=r}}}i(ds,"readOther");function dr(t,e,n){
if(!Number.isNaN(t))throw G("`maxCost` and `budget.costUsd`",n);return e}i(dr,"only");function lr(t){let{label:e,contextHint:n,
tools:r,systemPrompt:o,maxTurns:s,maxSteps:a,timeoutMs:u,idleTimeoutMs:d,turnEstimate:c,priority:f}=t;if(s!==void 0&&a!==
void 0)throw G("`maxTurns` and `maxSteps`","maxSteps");let l={label:cs(e),contextHint:D("`contextHint`",n),tools:q("`too\
ls`",r),systemPrompt:D("`systemPrompt`",o),maxTurns:R("`maxTurns`",s)??R("`maxSteps`",a),timeoutMs:ae("`timeoutMs`",u),idleTimeoutMs:ae(
"`idleTimeoutMs`",d),turnEstimate:R("`turnEstimate`",c),priority:Dt("`priority`",f)};return ls(t)&&Object.assign(l,ms(t)),
l}i(lr,"readStaged");function cs(t){let e=D("`label`",t);return e?.trim()===""?void 0:e}i(cs,"labelOf");var fs=["modelId",
"agent","agentId","profile","promptProfile","rateLimitKey","idempotencyKey","origin","nickname","onParentEnd","retry","m\
etadata","format"];function ls(t){return fs.some(e=>t[e]!==void 0)}i(ls,"hasRare");function ms(t){let{modelId:e,agent:n,
agentId:r,profile:o,promptProfile:s,rateLimitKey:a,idempotencyKey:u,nickname:d,format:c,onParentEnd:f}=t;if(f!==void 0&&
!Wn.includes(f))throw g("`onParentEnd`",`one of ${Wn.join(", ")}`,f);return{nickname:ie("`nickname`",d),onParentEnd:f,retry:nn(
"retry",t.retry),metadata:Xt("metadata",t.metadata),modelId:D("`modelId`",e),profile:cr("profile",o,"promptProfile",s),sourceAgentId:cr(
"agent",n,"agentId",r),rateLimitKey:ie("`rateLimitKey`",a),idempotencyKey:ie("`idempotencyKey`",u),...ps(t.origin),...mr(
c)==="json"&&{json:!0}}}i(ms,"readRare");function cr(t,e,n,r){let[o,s]=[ie(`\`${t}\``,e??void 0),ie(`\`${n}\``,r??void 0)];
if(o!==void 0&&s!==void 0)throw G(`\`${t}\` and \`${n}\``,n);return o??s}i(cr,"either");function ps(t){if(t===void 0)return{};
let e=O("`origin`",t,"an object with channel and chatId"),{channel:n,chatId:r,...o}=e;if(J("origin",o,["channel","chatId"]),
n!==void 0&&(typeof n!="string"||n===""||n.includes(":")))throw g("`origin.channel`","a text without a colon",n);if(r!==
void 0&&(typeof r!="string"||r===""))throw g("`origin.chatId`","a text",r);return{originChannel:D("`origin.channel`",n),
originChatId:D("`origin.chatId`",r)}}i(ps,"originOf");function mr(t){if(t===void 0||t==="text"||t==="json")return t;throw g(
"`format`","'text' or 'json'",t)}i(mr,"formatOf");var pr={description:!0,prompt:!0,model:!0,disallowedTools:!0},me=class{static{i(this,"Agents")}#e=new Map;constructor(e){
if(e!==void 0)for(let[n,r]of Object.entries(O("`agents`",e,"an object of definitions")))this.#e.set(n,v(`\`agents.${n}\``,
()=>hs(n,r)))}get names(){return[...this.#e.keys()]}get descriptions(){return[...this.#e].map(([e,{description:n}])=>`- ${e}\
: ${n}`).join(`
`)}checkProfiles(e){for(let{staged:n}of this.#e.values())n.profile!==void 0&&e.check(n.profile)}fill(e,n,r){let{sourceAgentId:o}=n;
if(o===void 0)return;let s=this.#e.get(o);if(s===void 0){let{names:d}=this,c=d.length===0?"none is defined":`there are ${d.
join(", ")}`;throw new w("unknown_agent",`there is no agent called ${k(o)}; ${c}`,{agent:o,known:d})}let{request:a,staged:u}=s;
Number.isNaN(e.tokens)&&(e.tokens=a.tokens),Number.isNaN(e.cost)&&(e.cost=a.cost),Number.isNaN(e.turns)&&(e.turns=a.turns),
r||(e.background=a.background),e.schema??=a.schema;for(let d of Object.keys(u))n[d]===void 0&&(n[d]=u[d])}};function hs(t,e){
if(t==="")throw new w("invalid_argument","the name of an agent must not be empty");se("the name of an agent",t);let n=O(
`\`agents.${t}\``,e),{description:r,prompt:o,model:s,disallowedTools:a}=n;if(typeof r!="string"||r.trim()==="")throw g(`\
\`agents.${t}.description\``,"a text",r);let u=Object.entries(n).filter(([f])=>!Object.hasOwn(pr,f)),d=u.find(([f])=>!hr.
has(f))?.[0];if(d!==void 0)throw ve(`an agent has no \`${d}\`: \`agents.${t}\``,d,[...hr,...Object.keys(pr)],{argument:`\
agents.${t}.${d}`});let c=Object.fromEntries(u);o!==void 0&&(c.systemPrompt=o),s!==void 0&&s!=="inherit"&&(c.modelId=s),
c.agent=t;try{let f=Ie(c),l=f.staged;return a!==void 0&&(l.disallowedTools=q("`disallowedTools`",a)),{description:r.trim(),
request:f,staged:l}}catch(f){let{code:l,message:m,details:p}=f;throw new w(l,`agents.${t}: ${m}`,{...p})}}i(hs,"read");var hr=new Set(
["tools","maxTurns","background","profile","budget","maxCost","timeoutMs","idleTimeoutMs","turnEstimate","priority","rat\
eLimitKey","contextHint","schema","retry"]);var _e={maxConcurrent:3,maxQueued:1e5,maxDepth:1,maxChildren:32,maxTasks:1e5,retain:1e3,maxSessions:1e4,maxAbandoned:16,
maxTurns:20,turnEstimate:2e3,wrapUpTokens:1e3,timeoutMs:18e5,graceMs:1e4,idleTimeoutMs:3e5,abandonMs:6e4,askTimeoutMs:6e5,
maxMessages:20,maxResultBytes:1048576,inlineBytes:16384,maxSummaryTokens:2e3,approvalTimeoutMs:6e5,ageingMs:1e4,idempotencyTtlMs:864e5,
maxIdempotencyKeys:1e5,staggerMs:0,maxCooldownMs:36e5,maxCooldowns:1e3,leaseMs:6e4,maxDeliveries:5,maxNotices:1e5,maxInjected:32};var gr;function F(t,e){gr??=new Map(Object.keys(_e).map((r,o)=>[r,o]));let n=gr.get(e);return t.call(r=>r.limit(n))}i(F,
"limitOf");var sn={maxSubAgentSteps:"maxTurns"},br=[...Object.keys(_e),...Object.keys(sn),"budget","totalTokenBudget","taskBudget",
"onLimit"];function bs(t){let e=Object.keys(sn).filter(n=>sn[n]===t);return[t,...e].map(n=>`\`${n}\``).join(", ")}i(bs,"\
namesOf");var an=class{static{i(this,"Bounds")}#e=new Map;#n={};#t;#r;#o;take(e,n){let r=sn[e]??e;if(e==="budget")this.#n=
Oe(e,n);else if(e==="totalTokenBudget")this.#t=R("`totalTokenBudget`",n);else if(e==="taskBudget")this.#r=Oe(e,n);else if(e===
"onLimit"){if(n!=="queue"&&n!=="reject")throw g("`onLimit`","'queue' or 'reject'",n);this.#o=n}else if(Object.hasOwn(_e,
r))this.#s(e,r,n);else return!1;return!0}#s(e,n,r){if(typeof r!="number")throw g(`\`${e}\``,"a number",r);if(e!==n&&R(`\`${e}\
\``,r),this.#e.has(n))throw new w("invalid_argument",`\`${n}\` and its alias say the same: give one of ${bs(n)}`,{argument:e});
this.#e.set(n,r)}apply(e,n={}){let r=this.#n;if(this.#t!==void 0){if(r.tokens!==void 0)throw G("`totalTokenBudget` and `\
budget.tokens`","totalTokenBudget");r={...r,tokens:this.#t}}let o={budget:r,taskBudget:this.#r,onLimit:this.#o},s={...n,
limits:[...this.#e],...o};if(!e.call(a=>a.configure(b(),s)))throw this.#i(e.refusal());e.carryOut(),e.expectSound()}#i(e){
let{code:n,message:r,details:o}=e,s=[...this.#e].find(([a])=>r.startsWith(`\`${a}\``));return s===void 0?e:new w(n,`${r}\
, got ${k(s[1])}`,{...o})}};var zn="minimal";function ys(t){return["You are a sub-agent: another agent gave you one task, and you see nothing else o\
f its work.","- Work on this task and on nothing else.","- You can not send messages to the user or ask them anything.",
...t?[]:["- You can not start sub-agents."],"- End with a clear and concise summary of what you did and what you found. \
It is all that the other agent gets."].join(`
`)}i(ys,"minimal");var pe=class{static{i(this,"Profiles")}#e=new Map([[zn,(e,n)=>ys(n)]]);constructor(e){if(e!==void 0)for(let[
n,r]of Object.entries(O("`profiles`",e,"an object of functions"))){if(se("the name of a profile",n),typeof r!="function")
throw g(`\`profiles.${n}\``,"a function that makes a system prompt",r);this.#e.set(n,o=>r(o()))}}get names(){return[...this.#e.
keys()]}check(e){if(this.#e.has(e))return;let n=[...this.#e.keys()];throw new w("unknown_profile",`there is no profile c\
alled ${k(e)}; there are ${n.join(", ")}`,{profile:e,known:n})}prompt(e,n,r){this.check(e);let o;try{o=this.#e.get(e)?.(
n,r)}catch(s){throw new w("invalid_argument",`the profile ${k(e)} failed: ${A(s)}`,{},{cause:s})}if(typeof o!="string")throw g(
`what the profile ${k(e)} returns`,"a string",o);return o}};var yr=512,wr=1024;function un(t){let e=t%yr;return{turn:Math.floor(t/wr),injects:t%wr>=yr,wrapUp:e===0?void 0:T[e-1]}}i(
un,"turnOf");function dn(t,e,n){let r=i(o=>!e||t.unknown.includes(o)||t.invalid.includes(o)?null:t[o],"known");return{tokens:r("token\
s"),costUsd:r("costUsd"),turns:r("turns"),durationMs:e?n:null}}i(dn,"figuresOf");function kr(t,e,n){let{actor:r,runtime:o}=t,s=t.policing(),a=t.isMain?void 0:o.lookup.snapshot(r.slot,r.generation),u=a===
void 0?Ar:dn(a.usage,a.startedAt!==null,a.durationMs);return{taskId:a?.taskId??null,status:e,reason:n,partial:!0,output:xr(
o,a?.output??""),error:null,stats:Xn(s,{...u,turns:s?.turns??null}),todos:Te(s?.todos??""),recentMessages:[...t.messages]}}
i(kr,"reportOf");function Sr(t,e,n,r){let o=n.call(s=>s.policing(r.slot,r.generation));return{taskId:t.taskId,status:t.status,
reason:t.stopReason,partial:t.partial,output:xr(n,ws(t,e,n,r)),error:t.error??null,stats:Xn(o,t.figures),todos:Te(o?.todos??
""),recentMessages:[...e?.messages??[]]}}i(Sr,"reportOfResult");function he(t){return Ke(t)}i(he,"reportText");function cn(t,e,n){
return{taskId:t,status:e,reason:null,partial:!1,output:"",error:n,stats:Xn(void 0,Ar),todos:[],recentMessages:[]}}i(cn,"\
reportOfNone");var Ar={tokens:null,costUsd:null,turns:null,durationMs:null};function Xn(t,{tokens:e,costUsd:n,turns:r,durationMs:o}){
let{contextTokens:s=null,openTodos:a=0,counts:u=[]}=t??{};return{turns:r,tokens:e,costUsd:n,durationMs:o===null?null:Math.
round(o),contextTokens:s,openTodos:a,counts:Object.fromEntries(u)}}i(Xn,"stats");function ws(t,e,n,{slot:r,generation:o}){
let{output:s}=t,a=s===""?null:ks(t,e,n,r,o);if(a===null||a!==s)return s;let u=Qn(a);return u===void 0?s:u.output||(u.recentMessages.
at(-1)??"")}i(ws,"outputOf");function ks(t,e,n,r,o){if(e?.report!==void 0)return e.report;if(n.isClosed||n.call(u=>u.status(
r,o))<0)return null;let{run:s,report:a}=n.lookup.snapshot(r,o);return s===t.run?a:null}i(ks,"madeByPolicy");function Qn(t){
if(t.startsWith('{"taskId":'))try{let{output:e,recentMessages:n,stats:r,status:o}=JSON.parse(t);return typeof o=="string"&&
typeof e=="string"&&typeof r=="object"&&Array.isArray(n)?JSON.parse(t):void 0}catch{return}}i(Qn,"readReport");function xr(t,e){
if(e==="")return"";let n=t.write(e);return t.call(r=>r.inline(n))}i(xr,"inlined");var Ss=10,As=500,Ce=class{static{i(this,"Agent")}runtime;actor;messages=[];blockedBecause=void 0;report=void 0;asksForTurn=!1;readPrompt;injected=[];waiting=0;pending=new Set;stopped=!1;constructor(e,n,r){
this.runtime=e,this.actor=n,this.readPrompt=r}get isMain(){return this.actor.run===0}get prompt(){return this.readPrompt()}say(e){
this.messages.push(He(e,As)),this.messages.length>Ss&&this.messages.shift()}inject(e){this.injected.push(e)}get hasInjected(){
return this.injected.length>0}takeInjected(){let e=this.injected;return this.injected=[],e}context(e,n){return Object.assign(
new Zn(this,e),n)}policing(){let{slot:e,generation:n}=this.actor;return this.runtime.call(r=>r.policing(e,n))}count(e,n,r){
let{slot:o,generation:s,run:a}=this.actor,u=this.runtime.write(e);return this.runtime.act(d=>d.count(b(),o,s,a,u,n,r))}rule(e,{
answer:n,policy:r,text:o,reason:s}){if(this.runtime.isClosed)return!1;let{slot:a,generation:u,run:d}=this.actor;n==="blo\
ck"&&!e.endsWith("_tool")&&(this.blockedBecause??=o),n==="finish"&&(this.report=o);let c=this.runtime.write(r),f=this.runtime.
write(r+o)-c,[l,m,p]=[Zt.indexOf(e),er.indexOf(n),T.indexOf(s)];return this.runtime.act(h=>h.rule(b(),a,u,d,l,m,p,c,f))}wait(e){
if(e==="on_timeout")return()=>{};let{slot:n,generation:r,run:o}=this.actor,s=this.isMain?new te(()=>this.end("overdue")):
void 0;if(this.waiting+=1,s!==void 0){let a=this.runtime.isClosed?0:F(this.runtime,"approvalTimeoutMs");s.hold(!0),a!==Number.
POSITIVE_INFINITY&&s.set(b()+a)}else this.waiting===1&&!this.runtime.isClosed&&this.runtime.act(a=>a.awaitApproval(b(),n,
r,o));return()=>{this.waiting-=1,s?.stop(),!(this.waiting>0||this.isMain||this.runtime.isClosed||e==="before_start")&&this.
runtime.act(a=>a.approved(b(),n,r,o,!1))}}until(e){return this.stopped?Promise.resolve("stopped"):new Promise(n=>{let r=i(
o=>{this.pending.delete(r),n(o)},"end");this.pending.add(r),e.then(o=>r({value:o}),o=>r({error:o}))})}stop(){this.stopped=
!0,this.end("stopped")}overdue(){this.end("overdue")}end(e){for(let n of[...this.pending])n(e)}},Zn=class{static{i(this,
"Context")}#e;#n;#t;constructor(e,n){this.#e=e,this.#n=n}get#r(){return this.#t??=this.#e.policing(),this.#t}get agent(){
return this.#e.isMain?"main":"sub"}get taskId(){let{slot:e,generation:n}=this.#e.actor;return this.#e.isMain?null:this.#e.
runtime.lookup.taskId(e,n)}get run(){return this.#e.actor.run}get prompt(){return this.#e.prompt}get turns(){return this.#r?.
turns??0}get contextTokens(){return this.#r?.contextTokens??void 0}get todos(){return Te(this.#r?.todos??"")}get openTodos(){
return this.#r?.openTodos??0}get recentMessages(){return[...this.#e.messages]}count(e,n={}){let r=this.#e.count(this.#n,
e,n.openTodosOnly===!0);return r>0?"counted":r===0?"nothing_to_count":"exhausted"}report(e,n){return kr(this.#e,e,n)}};var Rr={before_spawn:"beforeSpawn",before_start:"beforeStart",before_turn:"beforeTurn",before_tool:"beforeTool",after_tool:"\
afterTool",before_end:"beforeEnd",on_timeout:"onTimeout"},jr=["name","blockedTools",...Object.values(Rr)],vr={before_spawn:[
"inject","block","finish"],before_start:["inject","block","finish"],before_turn:["inject","block","finish"],before_tool:[
"inject","block","finish"],after_tool:["inject","block","finish"],before_end:["inject","force_turn","block","finish"],on_timeout:[
"inject","finish"]},ge=class{static{i(this,"PolicyList")}blockedTools;#e=new Map;constructor(e,n){let r=new Map,o=new Set;
for(let{policy:s,place:a}of xs(e,n)){let u=vs(s,a),d=(r.get(u)??0)+1;r.set(u,d),this.#n(s,a,d===1?u:`${u}#${d}`);let c=q(
fn(a,"blockedTools"),et(s,a,"blockedTools"));for(let f of c??[])o.add(f)}this.blockedTools=[...o]}#n(e,n,r){let o=v(n,()=>Ts(
e));if(o!==void 0)throw Ge("a policy",o,jr);for(let[s,a]of Object.entries(Rr)){let u=et(e,n,a);if(u===void 0)continue;if(typeof u!=
"function")throw g(fn(n,a),"a function",u);let d=this.#e.get(s)??[];d.push({name:r,ask:i(c=>Reflect.apply(u,e,[c]),"ask")}),
this.#e.set(s,d)}}has(e){return this.#e.has(e)}ask(e,n,r){let o=this.#e.get(e)??[];for(let[s,a]of o.entries()){let u=Tr(
a,n,r);if("later"in u)return e!=="before_spawn"?this.#t(e,n,r,s,u.later):(u.later.then(void 0,()=>{}),nt(e,n,a.name,new Error(
"it has to answer at once here, it returned a promise")));let d=Or(e,n,a.name,u);if(d!==void 0)return d}}async#t(e,n,r,o,s){
let a=this.#e.get(e)??[],u=n.wait(e);try{let d=s;for(let c=o;c<a.length;c+=1){let f=a[c],l;if(d===void 0){let p=Tr(f,n,r);
l="later"in p?await n.until(p.later):p}else l=await n.until(d),d=void 0;if(l==="stopped")return;let m=Or(e,n,f.name,l===
"overdue"?{error:new Error("it took too long to answer")}:l);if(m!==void 0)return m}return}finally{u()}}};function xs(t,e){
return e===void 0?[]:L(t,"a list of policies",e,(n,r)=>({policy:oe(r,n,"a policy"),place:r}))}i(xs,"policiesOf");function fn(t,e){
return t.endsWith("`")?`${t.slice(0,-1)}.${e}\``:`\`${e}\` of ${t}`}i(fn,"within");function et(t,e,n){return v(fn(e,n),()=>C(
t,n))}i(et,"partOf");function vs(t,e){let n=et(t,e,"name")??"policy";return Y(P(fn(e,"name"),n))}i(vs,"nameIn");function Ts(t){
let e=Object.getPrototypeOf(t),n=e===null||Object.getPrototypeOf(e)===null;return Object.keys(t).find(r=>!jr.includes(r)&&
(n||/^(before|after|on)[A-Z]/.test(r)))}i(Ts,"strangerIn");function Tr(t,e,n){try{let r=t.ask(e.context(t.name,n));return typeof r==
"object"&&r!==null&&typeof r.then=="function"?{later:new Promise(s=>s(r))}:{value:r}}catch(r){return{error:r}}}i(Tr,"ans\
werOf");function Or(t,e,n,r){if("error"in r)return nt(t,e,n,r.error);try{return Os(t,n,r.value)}catch(o){return nt(t,e,n,
o)}}i(Or,"judge");function nt(t,e,n,r){let o=`the policy ${n} failed: ${A(r)}`;if(t!=="after_tool"&&t!=="on_timeout")return{
answer:"block",policy:n,text:o,reason:"policy"};e.runtime.report(r)}i(nt,"failed");function Os(t,e,n){if(n==null)return;
if(typeof n!="object")throw new Error(`it answered ${k(n)}`);let r=i(l=>C(n,l),"part"),[o,s,a,u,d="policy"]=["action","t\
ext","reason","report","stopReason"].map(r);if(o==="continue")return;let c=o;if(!vr[t].includes(c))throw new Error(`it a\
nswered ${k(o)}, here it may answer ${["continue",...vr[t]].join(", ")}`);let f={inject:s,force_turn:s??"Take another tu\
rn before you end.",block:a,finish:u}[c];if(typeof f!="string")throw new Error(`it answered ${c} with ${k(f)} where a te\
xt belongs`);if(!T.includes(d))throw new Error(`it answered with the stop reason ${k(d)}`);return{answer:c,policy:e,text:Y(
P("what it says",f)),reason:d}}i(Os,"read");var be=class{static{i(this,"Gates")}sub;runtime;policies;limits;mains=new Map;constructor(e,n,r){this.runtime=e,this.sub=
new ge("`policies.subAgents`",n.subAgents),this.policies=new ge("`policies.main`",n.main),this.limits=r}sessionPolicies(e){
return e===void 0?this.policies:new ge("`policies`",e)}openSession(e,n,r){this.mains.set(e.slot,this.newMain(e,n,{...this.
limits,...r}))}main(e){let n=this.mains.get(e.slot);if(n?.agent.actor.generation===e.generation)return n;let r=this.newMain(
e,this.policies,this.limits);return n===void 0&&this.mains.set(e.slot,r),r}newMain(e,n,r){let s={agent:new Ce(this.runtime,
e,()=>s.prompt),policies:n,limits:r,prompt:""};return s}agentOf(e){return e.agent??=new Ce(this.runtime,e,()=>e.prompt()),
e.agent}listFor(e){return e.isMain?this.main(e.actor).policies:this.sub}close(){for(let{agent:e}of this.mains.values())e.
stop()}beforeSpawn(e,n,r){let o=e.run===0,s=o?this.main(e).policies:this.sub;if(!s.has("before_spawn"))return;let a=o?this.
main(e).agent:this.agentOf(e),u=s.ask("before_spawn",a,{task:n.text,params:r});if(u===void 0)return;a.rule("before_spawn",
u);let{answer:d,policy:c,text:f}=u;if(d==="inject"){let l=on(n);l.contextHint=l.contextHint===void 0||l.contextHint===""?
f:`${l.contextHint}

${f}`;return}throw new w("policy_blocked",f,{policy:c,...d==="finish"&&{report:f}})}start(e,n){let r=this.agentOf(e),o=this.
sub.ask("before_start",r,{});if(o instanceof Promise){this.runtime.alone(o.then(s=>this.started(e,s,n)));return}this.decideStart(
e,o,n)}started(e,n,r){let{runtime:o}=this;if(o.isClosed||e.settled)return;let{slot:s,generation:a,run:u}=e,d=(n===void 0||
n.answer==="inject")&&!this.isStopping(e);e.starting=()=>this.decideStart(e,n,r),!(o.act(c=>c.approved(b(),s,a,u,d))===0&&
d)&&e.takeStart()?.()}decideStart(e,n,r){let o=this.agentOf(e);n!==void 0&&o.rule("before_start",n),n?.answer==="inject"&&
o.inject(n.text),(n===void 0||n.answer==="inject")&&!this.isStopping(e)?r():this.runtime.hosts.settle(e,fe())}isStopping(e){
let{slot:n,generation:r,run:o}=e;return!this.runtime.call(s=>s.isOpen(n,r,o))||this.runtime.lookup.snapshot(n,r).cancelRequested}async beforeTurn(e,n){
e.asksForTurn=!0;try{let r=await this.listFor(e).ask("before_turn",e,{});if(this.runtime.check(),r!==void 0){let a=e.rule(
"before_turn",r);if(r.answer==="inject")e.inject(r.text);else if(a)return Pr(r)}let o=await n();if(!o.go)return o;let s=e.
takeInjected();return s.length===0?o:{...o,inject:[...o.inject??[],...s]}}finally{e.asksForTurn=!1}}async mainTurn(e,n){
let{runtime:r}=this;r.check();let o=this.main(e),{agent:s,policies:a}=o,{slot:u,generation:d}=e;if(s.asksForTurn)throw new w(
"invalid_argument","the last beforeTurn has not answered yet");if(n!==void 0&&(r.act(c=>c.endMain(b(),u,d)),o.prompt=n),
(s.policing()?.turns??0)===0&&a.has("before_start")){s.asksForTurn=!0;let c=await a.ask("before_start",s,{});if(s.asksForTurn=
!1,r.check(),c!==void 0){if(s.rule("before_start",c),c.answer!=="inject")return Pr(c);s.inject(c.text)}}return this.beforeTurn(
s,()=>this.takeMainTurn(o))}async takeMainTurn(e){let{agent:n,policies:r,limits:o}=e,{slot:s,generation:a}=n.actor,{maxTurns:u=tt,
maxContextTokens:d=tt,timeoutMs:c=tt}=o,f=this.runtime.call(x=>x.beginMainTurn(b(),s,a,u,d,c));if(f===-1)throw this.runtime.
refusal();if(f<0){this.runtime.carryOut();let x=T[-2-f]??"policy";return x!=="policy"?{go:!1,reason:x}:{go:!1,reason:x,message:`\
the context has ${n.policing()?.contextTokens} tokens, the limit is ${d}`}}let{turn:l,injects:m,wrapUp:p}=un(f),h=m?{inject:this.
runtime.call(x=>x.takeInject())}:void 0;if(this.runtime.carryOut(),p===void 0)return{go:!0,turn:l,...h};let y=await r.ask(
"on_timeout",n,{reason:"timeout"}),S=y===void 0?void 0:this.timeoutAnswered(n,y);return{go:!0,turn:l,wrapUp:!0,reason:"t\
imeout",...h,...S!==void 0&&{report:S}}}async beforeTool(e,n,r){let{runtime:o}=this,{slot:s,generation:a,run:u}=e.actor;
if(o.check(),P("a tool's name",n)==="")throw g("a tool's name","a text that is not empty",n);if(!e.isMain){let l=o.write(
n);if(!o.call(m=>m.mayUse(s,a,u,l)))return this.toolRefused(e)}let d=this.listFor(e),c=d.has("before_tool")?await d.ask(
"before_tool",e,{tool:n,args:r}):void 0;if(o.check(),c!==void 0){if(e.rule("before_tool",c),c.answer==="block")return{allowed:!1,
reason:c.text};if(c.answer==="finish")return{allowed:!1,reason:c.text,finished:!0}}let f=o.write(n);return o.call(l=>l.beginTool(
b(),s,a,u,f))?(o.carryOut(),c===void 0?{allowed:!0}:{allowed:!0,inject:[c.text]}):this.toolRefused(e)}toolRefused(e){let{
code:n,message:r}=this.runtime.refusal();return n==="tool_blocked"&&e.rule("before_tool",{answer:"block",policy:"tools",
text:r,reason:"policy"}),{allowed:!1,reason:r}}async afterTool(e,n,r){let{runtime:o}=this,{slot:s,generation:a,run:u}=e.
actor;if(o.check(),P("a tool's name",n)==="")throw g("a tool's name","a text that is not empty",n);let c=!e.isMain&&o.call(
p=>p.endTool(b(),s,a,u))?o.call(p=>p.takeInject()):[];o.carryOut();let f=this.listFor(e),l=f.has("after_tool")?await f.ask(
"after_tool",e,{tool:n,result:r}):void 0;l!==void 0&&(o.check(),e.rule("after_tool",l),l.answer==="inject"&&c.push(l.text));
let m=c.length===0?{}:{inject:c};return l?.answer==="block"?{withheld:!0,reason:l.text,...m}:l?.answer==="finish"?{withheld:!1,
finished:!0,...m}:{withheld:!1,...m}}async beforeEnd(e,n){let{runtime:r}=this;r.check(),P("`output`",n);let o=this.listFor(
e),s=o.has("before_end")?await o.ask("before_end",e,{output:n}):void 0;if(r.check(),s!==void 0&&(e.rule("before_end",s),
s.answer==="inject"||s.answer==="force_turn"))return{end:!1,inject:[s.text]};let{slot:a,generation:u}=e.actor;return e.isMain&&
r.act(d=>d.endMain(b(),a,u)),s===void 0?{end:!0,output:n}:s.answer==="finish"?{end:!0,output:s.text}:{end:!0,output:"",reason:s.
text}}timedOut(e,n){if(!this.sub.has("on_timeout"))return;let r=this.agentOf(e),o=this.sub.ask("on_timeout",r,{reason:n}),
s=i(a=>{a!==void 0&&this.timeoutAnswered(r,{...a,reason:n})},"answered");o instanceof Promise?this.runtime.alone(o.then(
s)):s(o)}timeoutAnswered(e,n){if(e.rule("on_timeout",n),n.answer==="finish")return n.text;e.inject(n.text)}},tt=Number.POSITIVE_INFINITY;
function Pr({answer:t,text:e,reason:n}){return t==="finish"?{go:!1,reason:n,report:e}:{go:!1,reason:n,message:e}}i(Pr,"r\
efusedTurn");function Rs(t){return v("a notice",()=>{let{origin:e,text:n,deliveryId:r}=oe("a notice",t);return{channel:"system",senderId:"\
subagent",chatId:`${e.channel}:${e.chatId}`,content:n,deliveryId:r}})}i(Rs,"toBusMessage");function Er(t,e){return({inbox:n})=>{
for(let r of n.lease())i(async()=>{await t.publish(Rs(r)),n.ack(r.deliveryId)},"taken")().catch(e)}}i(Er,"publisher");function Ir(t){
let e=typeof t=="object"&&t!==null?t.publish:void 0;if(typeof e!="function")throw g("`bus`","an object with a function `\
publish`",t);return{publish:i(n=>e.call(t,n),"publish")}}i(Ir,"busOf");function ln(t){return v("a task",()=>{let{label:e,taskId:n}=oe("a task",t);return`Subagent [${I(e,X)}] started (id: ${I(
n)}). I'll notify you when it completes.`})}i(ln,"startedText");function rt(t){let{process:e,Deno:n,reportError:r,console:o}=globalThis;try{e===void 0&&n===void 0&&typeof r=="function"?
r(t):o?.error(t)}catch{}}i(rt,"logError");function ot(t,e){try{let n=t();js(n)&&new Promise(r=>r(n)).catch(e)}catch(n){e(
n)}}i(ot,"notify");function js(t){return typeof t=="object"&&t!==null&&typeof t.then=="function"}i(js,"isThenable");function we(t){return typeof WeakRef>"u"?{deref:i(()=>t,"deref")}:new WeakRef(t)}i(we,"weakly");var ye=class{static{i(this,
"Collected")}registry;constructor(e){this.registry=typeof FinalizationRegistry>"u"?void 0:new FinalizationRegistry(e)}watch(e,n){
this.registry?.register(e,n,e)}unwatch(e){this.registry?.unregister(e)}};var mn=class{static{i(this,"Door")}manager;constructor(e){this.manager=e}get runtime(){return this.manager}shut(){this.manager=
void 0}},$e=[],_r=[],st,Q;function Cr(t,e,n){let r=_r.pop()??$e.length;return $e[r]=we(e),st??=new ye(({host:o,alarm:s})=>{
s.stop(),$r(o)}),st.watch(t,{host:r,alarm:n}),r}i(Cr,"attach");function it(t){st?.unwatch(t),t.door.shut(),$r(t.host)}i(
it,"release");function $r(t){$e[t]!==void 0&&($e[t]=void 0,_r.push(t))}i($r,"detach");function B(t){let e=Q;return Q=t,En(
!0),e}i(B,"enter");function U(t){Q=t,t===void 0&&En(!1)}i(U,"leave");function Mr(){return Q!==void 0}i(Mr,"isInside");function j(t){
return Q!==void 0&&Q.host===t?Q:$e[t]?.deref()?.runtime}i(j,"find");function gd(t,e,n,r){j(t)?.runs.startRun(e,n,r)}i(gd,
"startRun");function bd(t,e,n,r,o){j(t)?.runs.runRetried(e,n,r,o)}i(bd,"runRetried");function yd(t,e,n,r,o){j(t)?.runs.abortRun(
e,n,r,o)}i(yd,"abortRun");function wd(t,e,n,r){j(t)?.runs.turnReady(e,n,r)}i(wd,"turnReady");function kd(t,e,n){let r=j(
t);r?.sessionData.taskForgotten(e,n),r?.contexts.taskForgotten(e,n),r?.signals.taskGone(e,n)}i(kd,"taskForgotten");function Sd(t,e,n){
j(t)?.signals.taskGone(e,n)}i(Sd,"taskClosed");function Ad(t,e,n){j(t)?.wakes.mark(e)}i(Ad,"wakeSession");function xd(t,e,n,r,o){
j(t)?.runs.policiesDue(e,n,r,o)}i(xd,"policiesDue");function vd(t,e){j(t)?.startsStopped(e)}i(vd,"startsStopped");function Td(t,e){
j(t)?.wakeAt(e)}i(Td,"wakeAt");function Od(t,e,n,r,o,s,a){j(t)?.runs.askDone(e,n,r,o,s,a)}i(Od,"askDone");function Rd(t,e,n,r){
j(t)?.waits.done(e,n,r)}i(Rd,"waitDone");function jd(t,e,n,r,o,s,a,u,d,c,f,l,m){j(t)?.runs.runEnded(e,n,r,o,s,a,u,d,c,f,
l,m)}i(jd,"runEnded");function Pd(t,e,n){j(t)?.listeners.facts(e,n)}i(Pd,"facts");function Ed(t,e){let n=j(t);return n===
void 0||n.consumerGate(e)}i(Ed,"consumerGate");function Id(t,e){return j(t)?.makeTool(e)}i(Id,"makeTool");var _d=0,Nr=1,
Cd=2;var pn=class{static{i(this,"Listeners")}listeners=new Set;reader=void 0;runtime;scratch;constructor(e,n){this.runtime=e,
this.scratch=n}get listening(){return this.reader!==void 0}subscribe(e,n){this.runtime.check();let r=this.runtime.call(s=>s.
factCount());this.listeners.size===0&&(this.reader=n(this.runtime,this.scratch,r),this.runtime.call(s=>s.listen(!0)));let o={
listener:le(e),since:r};return this.listeners.add(o),()=>{this.listeners.delete(o),this.listeners.size===0&&!this.runtime.
isClosed&&(this.reader=void 0,this.runtime.journal===void 0&&this.runtime.call(s=>s.listen(!1)))}}facts(e,n){let{journal:r}=this.
runtime;if(r===void 0)this.hand(this.reader?.read(e,n));else{let o=r.take(this.scratch.copy(e,n));r.isSync||this.tell(o)}}tell(e){
this.hand(this.reader?.readKept(e))}hand(e=[]){for(let n of e)for(let{listener:r,since:o}of this.listeners)n.seq>o&&this.
runtime.tell(()=>r(n))}clear(){this.listeners.clear(),this.reader=void 0}};var Me={slot:0,generation:0,run:0},Fr=4294967296;function Z(t){return t>>>0}i(Z,"slotOf");function at(t){return Math.floor(
t/Fr)}i(at,"generationOf");function W(t){return{slot:Z(t),generation:at(t)}}i(W,"keyOf");function Ne({slot:t,generation:e}){
return e*Fr+t}i(Ne,"packed");function Lr(t,e,n){let r={},{runtime:o,slot:s,generation:a}=t;if(o.call(u=>u.knowsTools(s,a))){let u=t.snapshot().tools??
[];Es(n?.tools,u)||(r.tools=[...u])}if(n?.maxTurns!==void 0||n?.maxCost!==void 0){let u=o.call(d=>d.runLimits(s,a));n.maxTurns!==
void 0&&u!==void 0&&u.maxTurns<n.maxTurns&&(r.maxTurns=u.maxTurns),n.maxCost!==void 0&&u!==void 0&&u.costUsd<n.maxCost&&
(r.maxCost=u.costUsd)}return Object.keys(r).length===0?e:Ps(e,r)}i(Lr,"allowed");function Ps(t,e){let n=Object.getOwnPropertyDescriptors(
t);for(let[r,o]of Object.entries(e))n[r]={value:o,enumerable:!0,writable:!0,configurable:!0};return Object.create(Object.
getPrototypeOf(t),n)}i(Ps,"replaced");function Es(t,e){return t?.length===e.length&&e.every((n,r)=>n===t[r])}i(Es,"isSam\
e");var V=class t{static{i(this,"ActiveRun")}slot=0;generation=0;run=0;hostOpen=!1;settled=!1;abortedEarly=!1;text=void 0;#e=void 0;#n=void 0;hostTaskId=void 0;result=void 0;before=void 0;previousError=void 0;successor=void 0;returned=void 0;turn=void 0;unfollow=void 0;asking=void 0;agent=void 0;followers=void 0;named=void 0;starting=void 0;watch=void 0;#t=void 0;given;asked;isAllowed=!1;handed=void 0;controller=void 0;aborted=void 0;id=void 0;view=void 0;#r=void 0;runtime;constructor(e,n,r){
this.runtime=e,this.given=n,this.asked=r}get format(){return this.#n??=this.snapshot().format,this.#n}set format(e){this.#n=
e}get background(){return this.#e??=this.snapshot().background,this.#e}set background(e){this.#e=e}get check(){return this.#t??
this.runtime.sessionData.checkOf(this.slot,this.generation)}set check(e){this.#t=e}get taskId(){return this.id??=this.runtime.
lookup.taskId(this.slot,this.generation),this.id}get latest(){let e=this;for(;e.successor!==void 0;)e=e.successor;return e}again(e){
let n=new t(this.runtime,this.given);return n.slot=this.slot,n.generation=this.generation,n.run=this.run+1,n.text=this.text,
n.#e=this.#e,n.#n=this.#n,n.#t=this.#t,n.watch=this.watch,n.before=this.returned,n.previousError={reason:e,error:this.returned?.
error??null},[n.followers,this.followers]=[this.followers,void 0],[n.unfollow,this.unfollow]=[this.unfollow,void 0],this.
named?.resolve(),this.successor=n,n}follow(e){this.followers??=[],this.followers.push(e)}expectName(){let e=i(()=>{},"re\
solve"),n=new Promise(r=>{e=r});this.named={promise:n,resolve:e}}takeStart(){let{starting:e}=this;return e!==void 0&&(this.
starting=void 0),e}params(){if(this.given===void 0){let{tools:e,systemPrompt:n,maxTurns:r,background:o}=this.snapshot();
this.given={instructions:this.prompt(),maxTurns:r,background:o,...e&&{tools:e},...n&&{systemPrompt:n}}}else this.isAllowed||
(this.given=Lr(this,this.given,this.asked));return this.isAllowed=!0,this.given}handedRun(){return this.handed??=this.runtime.
makeRun(this),this.handed}prompt(){return this.text??this.runtime.call(e=>e.message(this.slot))}snapshot(){return this.view??=
this.runtime.lookup.snapshot(this.slot,this.generation),this.view}brief(){return this.#r??=this.runtime.lookup.brief(this.
slot,this.generation),this.#r}get signal(){return this.controller===void 0&&(this.controller=new AbortController,this.aborted!==
void 0&&this.controller.abort(this.abortError(this.aborted))),this.controller.signal}abort(e){this.aborted=e,this.controller?.
abort(this.abortError(e))}abortError(e){return new w("aborted",`the sub-agent was told to stop: ${e}`,{reason:e})}};var dt=class{static{i(this,"Followed")}#e;#n=new Set;constructor(e){this.#e=e}#t=i(()=>{let e=[...this.#n];for(let n of e)
this.leave(n);for(let n of e)n.deref()?.fire()},"#fire");join(e){this.#n.add(e),this.#n.size===1&&this.#e.addEventListener(
"abort",this.#t,{once:!0})}leave(e){!this.#n.delete(e)||this.#n.size>0||(hn.get(this.#e)===this&&hn.delete(this.#e),this.#e.
removeEventListener("abort",this.#t))}},hn=new WeakMap,ut;function Is(t){t()}i(Is,"call");function Dr(t,e){let n=hn.get(
t);n===void 0&&(n=new dt(t),hn.set(t,n));let r=n;return r.join(e),()=>r.leave(e)}i(Dr,"join");function ct(t,e){let n={fire:e};
return Dr(t,{deref:i(()=>n,"deref")})}i(ct,"follow");var gn=class{static{i(this,"Signals")}#e=new Map;#n=new Map;follow(e,n){
let r={fire:n},o=Dr(e,we(r)),s=i(()=>{this.#e.delete(s),ut?.unwatch(r),o()},"end");return this.#e.set(s,r),ut??=new ye(Is),
ut.watch(r,o),s}keepIdle(e,n){let{runtime:r,slot:o,generation:s}=e,a=this.follow(n,()=>Br(e));e.unfollow?.(),e.unfollow=
a,r.call(d=>d.tellForgotten()),this.#n.set(o,e);let u=r.call(d=>d.status(o,s));(u<0||z[u]==="closed")&&this.taskGone(o,s)}taskGone(e,n){
let r=this.#n.get(e);r?.generation===n&&(this.#n.delete(e),r.unfollow?.())}clear(){for(let e of[...this.#e.keys()])e();for(let e of this.#n.
values())e.unfollow?.();this.#n.clear()}};function Kr(t,e){let n=ct(e,()=>{t.slot===0?t.abortedEarly=!0:Br(t)});t.unfollow=
()=>{t.unfollow=void 0,n()}}i(Kr,"followSignal");function Br(t){let{runtime:e}=t;if(!e.isClosed)try{e.waits.cancel(Me,t.
slot,t.generation,"signal_aborted").catch(()=>{})}catch{}}i(Br,"cancelLive");function Wr(t,e,n,r){t.check(),Ur(t,e,n);let o=$s(n,r);if(t.seeded||Fs(t),t.functions.checkConsumerSpawn!==void 0){let y=ft(
t,o);if(y!==!0)throw new w("spawn_denied",y||"the host refused this spawn",{reason:y||null});t.check()}t.gates.beforeSpawn(
e,n,o),t.check(),Ur(t,e,n);let{staged:s,text:a}=n;a!==void 0&&!n.manual&&Ms(t,n.background);let u=new V(t,o,n.asked);if(u.
background=n.background,u.text=a,u.format=s?.json===!0?"json":"text",u.check=n.schema,n.watch!==void 0&&(u.watch=n.watch),
n.signal!==void 0&&(Kr(u,n.signal),u.abortedEarly))throw Gr(n.signal);if(s!==void 0&&!t.call(y=>y.stage(s)))throw u.unfollow?.(),
t.refusal();let d=a===void 0?0:t.write(a),c=s?.idempotencyKey===void 0?0:64,f=(n.background?1:0)|(a===void 0?2:0)|(s===void 0?
0:4)|(n.manual?8:0)|n.answers|c,l=B(t),m;try{m=t.core.begin(b(),e.slot,e.generation,e.run,f,d,n.tokens,n.cost,n.turns)}catch(y){
throw t.poison(y)}finally{U(l)}if(m===-1)throw u.unfollow?.(),t.refusal();let p=m<0?Cs(t,u,n,W(-2-m)):_s(t,u,n,m),h=t.contexts.
enter(m<0?0:u.slot);return t.carryOut(),t.contexts.leave(h),t.expectSound(),t.hosts.keepAwake(),p}i(Wr,"spawn");function _s(t,e,{
text:n,manual:r,schema:o,signal:s},a){return e.slot=Z(a),e.generation=at(a),o!==void 0&&t.sessionData.check(e.slot,e.generation,
o),t.contexts.keep(e.slot,e.generation),n===void 0?s!==void 0&&t.signals.keepIdle(e,s):r||(e.run=1,t.runs.keep(e)),e}i(_s,
"admitted");function Cs(t,e,n,r){return e.unfollow?.(),n.repeated=!0,Ns(t,r)}i(Cs,"repeated");function Ur(t,{slot:e,generation:n,
run:r},{signal:o,background:s}){if(o?.aborted===!0)throw Gr(o);r!==0&&t.ask(a=>a.mayStart(e,n,r,s))}i(Ur,"expectNotStopp\
ed");function Gr(t){return new w("aborted","the signal of this spawn has fired already, so nothing was started",{},{cause:t.
reason})}i(Gr,"firedAlready");function $s({renamed:t,text:e},n){return t?v("the options of spawn",()=>({...n,instructions:e})):
n}i($s,"paramsOf");function Ms({functions:t},e){if(t.spawnSubAgent!==void 0||e&&t.spawnBackgroundSubAgent!==void 0)return;
let n="spawnSubAgent";throw new w("invalid_argument","the manager was made without `spawnSubAgent`, so nothing can run a\
 sub-agent",{argument:n})}i(Ms,"checkHost");function Ns(t,{slot:e,generation:n}){let r=t.runs.liveOf(e,n);if(r!==void 0)
return r;let o=new V(t,void 0);return o.slot=e,o.generation=n,o.run=t.call(s=>s.lastRun(e,n)),o}i(Ns,"lastRunOf");function ft(t,e){
let n=t.functions.checkConsumerSpawn;if(n===void 0)return!0;try{let r=n(e);if(typeof r!="object"||r===null)return`checkC\
onsumerSpawn must return { allowed }, it returned ${k(r)}`;let[o,s]=[C(r,"allowed"),C(r,"reason")];return o===!0?!0:o===
!1?typeof s=="string"&&s!==""?s:!1:typeof r.then=="function"?(r.then(void 0,()=>{}),"checkConsumerSpawn must answer at o\
nce, it returned a promise"):`checkConsumerSpawn must return { allowed: boolean }, allowed is ${k(o)}`}catch(r){return`c\
heckConsumerSpawn failed: ${A(r)}`}}i(ft,"consumerGate");function Fs(t){t.order(e=>e.seed(b())),t.seeded=!0}i(Fs,"seed");var Ls=0x7375626167656e74n,Ds=32n,Vr=i(t=>BigInt.asUintN(64,t),"low64"),Jr=i((t,e)=>Vr(t<<e|t>>64n-e),"rotated");function Hr(t,e,n){
let r=Vr(Jr(t,56n)+e)^n;return[r,Jr(e,3n)^r]}i(Hr,"mix");function qr([t=0n,e=0n],n,r){let[o,s]=[t,e],[a,u]=[Ls,BigInt(r)<<
32n|BigInt(n)];for(let d=0n;d<Ds;d+=1n)[a,u]=Hr(a,u,s),[o,s]=Hr(o,s,d);return`sub_${[a,u].map(d=>d.toString(16).padStart(
16,"0")).join("")}`}i(qr,"taskIdOf");var bn=class{static{i(this,"Lookup")}sessions=new Map;runtime;constructor(e){this.runtime=e}resolve(e,n){if(this.runtime.
check(),typeof n!="string")throw g("a target","an id or a handle",n);let r=this.runtime.write(In(n)?n.slice(0,160):""),{
slot:o,generation:s,run:a}=e,u=this.runtime.call(d=>d.find(o,s,a,r));if(u<0){let d=this.runtime.refusal();if(d.code==="a\
mbiguous_nickname")throw d;let c=new w(d.code,`${d.message}: ${k(n)}`,{...d.details,taskId:n});throw Be(c,`${Ue(d)}: ${k(
n)}`)}return W(u)}nameOf(e,{nickname:n,taskId:r}){if(n===null)return r;let o=this.runtime.write(n),s=this.runtime.call(d=>d.
find(e.slot,e.generation,e.run,o));if(s<0)return r;let{slot:a,generation:u}=W(s);return this.taskId(a,u)===r?n:r}taskId(e,n){
let{idKey:r}=this.runtime;return r===void 0?this.runtime.call(o=>o.taskId(e,n)):qr(r,e,n)}snapshot(e,n){let r=this.runtime.
call(o=>o.get(e,n,b()));if(r===void 0)throw this.runtime.refusal();return lt(r)}brief(e,n){let r=this.runtime.call(f=>f.
brief(e,n));if(r===void 0)throw this.runtime.refusal();let[o,s,a="",u,d=zn,c]=r;return{depth:o,label:s,contextHint:a,systemPrompt:u,
profile:d,modelId:c}}openSession(e){this.runtime.check();let n=this.runtime.write(e),r=this.runtime.journal?.goesOn===!0?
this.runtime.call(a=>a.sessionNamed(n)):-1,o=r>=0?r:this.runtime.call(a=>a.openSession(b(),n));if(o<0)throw this.runtime.
refusal();this.runtime.carryOut();let s={...W(o),run:0};return this.sessions.set(s.slot,s.generation),s}eventId(e,n){return this.
sessions.get(e)===n?null:this.runtime.call(r=>r.eventId(e,n))??null}};function lt(t){let{artifacts:e,value:n,metadata:r}=t;
return{...t,artifacts:e===null?[]:JSON.parse(e),value:n===null?null:JSON.parse(n),metadata:Qt(r)}}i(lt,"parseArtifacts");var Yr=64,yn=class{static{i(this,"RemoteRuns")}lives=new Map;named=new Map;early=new Map;ended=new Map;sweepAt=Yr;runtime;constructor(e){
this.runtime=e}start(e,n){this.sweep(),this.list(e);let r;try{r=n(e.params(),e.handedRun())}catch(s){throw this.unlist(e),
s}let o=new Promise(s=>s(r));if(!this.isListed(e)){o.catch(()=>{});return}this.runtime.act(s=>s.startedElsewhere(b(),e.slot,
e.generation,e.run)),e.expectName(),this.runtime.alone(o.then(s=>this.started(e,s),s=>this.end(e,ze(A(s),s))))}started(e,n){
let r=Ks(n);if(typeof r!="string"||r===""){this.end(e,je(`spawnBackgroundSubAgent must resolve to { taskId }, it resolve\
d to ${k(n)}`));return}if(e.hostTaskId=r,this.isListed(e)&&this.named.set(r,(this.named.get(r)??new Set).add(e)),e.named?.
resolve(),this.runtime.isClosed)return;let o=this.runtime.write(r);this.runtime.act(a=>a.nameElsewhere(b(),e.slot,e.generation,
e.run,o));let s=this.early.get(r);this.early.delete(r),s!==void 0?this.end(e,ce(s)):this.refuseEarly()}refuseEarly(){if(this.
early.size===0||this.isUnnamed())return;let e=[...this.early.keys()];this.early.clear();for(let n of e)this.runtime.report(
this.unknown(n))}isUnnamed(){return[...this.lives.values()].some(({hostTaskId:e})=>e===void 0)}report(e,n){if(typeof e!=
"string"||e==="")throw g("the id","a task id or the host's own id",e);let r=this.livesOf(e);if(r.length>1)throw new w("i\
nvalid_argument",`several sub-agents go by the host id ${k(e)}: report by task id`,{id:e});let[o]=r;if(o!==void 0){this.
end(o,ce(n));return}let s=this.endedBy(e);if(s!==void 0){let a=Object.assign(new V(this.runtime,void 0),s);this.runtime.
hosts.settle(a,ce(n));return}if(!this.isUnnamed())throw this.unknown(e);this.early.set(e,n)}livesOf(e){let n=[...this.named.
get(e)??[]],r=this.lives.get(this.placeOf(e));return r===void 0||n.includes(r)?n:[...n,r]}endedBy(e){let n=this.ended.get(
e)??this.ended.get(this.placeOf(e));return n!==void 0&&this.isKept(n)?n:void 0}placeOf(e){let n=this.runtime.write(e.slice(
0,160)),r=this.runtime.call(a=>a.find(0,0,0,n));if(r<0)return r;let{slot:o,generation:s}=W(r);return this.runtime.lookup.
taskId(o,s)===e?r:-2}isKept({slot:e,generation:n}){return this.runtime.call(r=>r.lastRun(e,n))>0}unknown(e){if(this.placeOf(
e)===-1){let n=this.runtime.refusal();if(n.code==="forgotten")return n}return new w("unknown_task",`no background sub-ag\
ent goes by ${k(e)}`,{id:e})}list(e){let n=Ne(e),r=this.lives.get(n);r!==void 0&&this.unlist(r)&&this.keepEnded(r),this.
lives.set(n,e)}isListed(e){return this.lives.get(Ne(e))===e}unlist(e){if(!this.isListed(e))return!1;this.lives.delete(Ne(
e));let{hostTaskId:n}=e;if(n!==void 0){let r=this.named.get(n);r?.delete(e),r?.size===0&&this.named.delete(n)}return!0}keepEnded({
slot:e,generation:n,run:r,hostTaskId:o}){let s={slot:e,generation:n,run:r};this.ended.set(Ne(s),s),o!==void 0&&this.ended.
set(o,s)}clear(){this.lives.clear(),this.named.clear(),this.early.clear(),this.ended.clear()}sweep(){if(!(this.lives.size+
this.ended.size<this.sweepAt)){for(let e of this.lives.values())this.runtime.call(n=>n.hasRun(e.slot,e.generation,e.run))||
(this.unlist(e),this.keepEnded(e));for(let[e,n]of this.ended)this.isKept(n)||this.ended.delete(e);this.sweepAt=Math.max(
Yr,(this.lives.size+this.ended.size)*2)}}end(e,n){if(!this.unlist(e))return;this.keepEnded(e),this.refuseEarly();let{check:r}=e,
o={...n,hostTaskId:n.hostTaskId??e.hostTaskId};r===void 0?this.runtime.hosts.settle(e,o):this.runtime.hosts.settleChecked(
e,o,r)}};function Ks(t){try{return t?.taskId}catch{return}}i(Ks,"hostId");var wn=class{static{i(this,"HostCalls")}elsewhere;openHosts=0;runtime;scratch;alarm;constructor(e,n,r){this.runtime=e,this.
scratch=n,this.alarm=r,this.elsewhere=new yn(e)}start(e){try{let{spawnSubAgent:n,spawnBackgroundSubAgent:r}=this.runtime.
functions;if(r!==void 0&&e.background){this.elsewhere.start(e,r);return}if(n===void 0)throw new Error("no spawnSubAgent \
was given to the manager");e.hostOpen=!0,this.openHosts+=1,this.alarm.hold(!0);let o=n(e.params(),e.handedRun());(Bs(o)?
o:new Promise(a=>a(o))).then(a=>this.hostReturned(e,a),a=>this.hostThrew(e,a))}catch(n){this.hostThrew(e,n)}}settle(e,n){
if(e.settled||(this.runtime.runs.returned(e),this.hostIsOver(e),this.runtime.isClosed))return;e.returned=n;let r=B(this.
runtime);try{let{output:o,error:s,status:a,id:u,artifacts:d,value:c}=this.scratch.writeEnd(this.bounded(n));this.runtime.
core.settle(b(),e.slot,e.generation,e.run,n.how,o,s,a,u,d,c,n.tokens,n.cost,n.turns,n.durationMs)}catch(o){this.runtime.
poison(o)}finally{U(r)}this.runtime.carryOut(),this.keepAwake()}settleManual(e,n,r){this.runtime.check();let{output:o,error:s,
artifacts:a}=this.runtime.call(()=>this.scratch.writeEnd(r));if(!this.runtime.call(d=>d.settle(b(),e,n,0,r.how,o,s,4294967295,
4294967295,a,4294967295,r.tokens,r.cost,r.turns,r.durationMs)))throw this.runtime.refusal();this.runtime.runs.manualEnded(
e,r),this.runtime.carryOut(),this.runtime.expectSound()}bounded(e){let{output:n}=e;return n.length<=_?e:{...e,output:n.slice(
0,Math.max(_,F(this.runtime,"maxResultBytes")+1))}}hostReturned(e,n){let r=ce(n),{check:o}=e;o===void 0||this.runtime.isClosed?
this.settle(e,r):this.settleChecked(e,r,o)}settleChecked(e,n,r){let o=Wt(n,r,F(this.runtime,"maxResultBytes"));o instanceof
Promise?this.runtime.alone(o.then(s=>this.settle(e,s))):this.settle(e,o)}hostThrew(e,n){Ae(n);let r=A(n);this.settle(e,ze(
r,n))}hostIsOver(e){e.settled=!0,this.release(e)}goOnWithout(e){e.hostOpen&&(this.release(e),this.keepAwake())}release(e){
e.hostOpen&&(e.hostOpen=!1,this.openHosts-=1)}keepAwake(){if(this.openHosts>0||this.runtime.isClosed)return;let e=this.runtime.
unasked(n=>n.hasQueued())===!0;this.runtime.isClosed||(this.runtime.keepAlive.hasQueued(e),this.alarm.hold(e||this.runtime.
waits.areOpen))}};function Bs(t){return t instanceof Promise&&t.constructor===Promise&&t.then===Promise.prototype.then}i(
Bs,"isPlainPromise");var kn=class{static{i(this,"KeepAlive")}count=0;queued=!1;alarm;manager;constructor(e,n){this.alarm=e,this.manager=n}begin(){
this.count+=1,this.count===1&&this.keep()}end(){this.count-=1,this.count===0&&this.keep()}hasQueued(e){this.queued!==e&&
(this.queued=e,this.keep())}clear(){this.count=0,this.queued=!1,this.keep()}keep(){this.alarm.keeps=this.count>0||this.queued?
this.manager:void 0}};var Sn=class{static{i(this,"Pins")}runtime;open=new Map;places=new WeakMap;constructor(e){this.runtime=e}pinAll(e){let n=F(
this.runtime,"retain")<e.length;return e.map(({slot:r,generation:o})=>this.pin(r,o,n))}pin(e,n,r){let o=this.runtime.call(
u=>u.lastRun(e,n)),s={slot:e,generation:n,run:o,taskId:this.runtime.lookup.taskId(e,n)};if(!this.runtime.call(u=>u.isOpen(
e,n,o)))return s.ended=this.read(s),s;r&&(s.begun=this.read(s));let a=this.open.get(e);return a===void 0?this.open.set(e,
[s]):a.push(s),s}hold(e){return this.open.has(e)}ended(e,n,r,o){let s=this.open.get(e);if(s!==void 0)for(let a of s)a.run===
r&&a.generation===n&&(a.ended=this.asEnded(a,o))}retried(e,n,r){for(let o of this.open.get(e)??[])o.run===r&&o.generation===
n&&(o.run+=1)}asEnded(e,n){let r=this.read(e);if(r?.run===e.run)return r;let o=e.begun??r;return o&&this.kept(e,{...o,...Ws(
e,n)})}unpin(e){for(let n of e){let r=this.open.get(n.slot)?.filter(o=>o!==n);r!==void 0&&(r.length===0?this.open.delete(
n.slot):this.open.set(n.slot,r))}}told(e,n,r){let o=this.read(e);if(n===Nr)return{told:n,view:r||o?.run===e.run?o??e.ended:
e.ended??o};let s=typeof n=="string"?n:null,a=o!==void 0&&(o.status==="running"||o.status==="pending")&&(r||o.run===e.run);
return o===void 0||a&&(s===null||o.question===s)?{told:n,view:o}:{told:n,view:this.kept(e,{...o,...Us,run:e.run,question:s})}}read(e){
let{slot:n,generation:r}=e,o=this.runtime.call(s=>s.get(n,r,b()));return o&&this.kept(e,lt(o))}kept(e,n){return this.places.
set(n,e),n}placeOf(e){return this.places.get(e)}},Us={status:"running",stopReason:null,output:"",error:null,endedAt:null,
durationMs:null,partial:!1,truncated:!1,artifacts:[]};function Ws({run:t,begun:e},n){let{status:r,stopReason:o,output:s,
partial:a,truncated:u,hostStillRunning:d,durationMs:c,usage:f}=n,{error:l=null,hostStatus:m=null,hostTaskId:p=null,artifacts:h,
value:y=null}=n,S={status:r,stopReason:o,output:s,partial:a,truncated:u,hostStillRunning:d,durationMs:c,usage:f,error:l,
hostStatus:m,hostTaskId:p},x=Math.floor(b()),$=n.started?e?.startedAt??x-c:null;return{run:t,...S,startedAt:$,endedAt:x,
updatedAt:x,parked:null,question:null,turns:f.turns,artifacts:[...h],value:y}}i(Ws,"endOf");function zr(t,{slot:e,generation:n},r,o){let{status:s,stopReason:a,output:u,error:d,hostStatus:c,figures:f}=o,l=t.writeAll(
[u,d??void 0,c??void 0]),[m,p,h]=l;return t.call(y=>y.resultText(e,n,r,z.indexOf(s),T.indexOf(a),f.turns??-1,f.costUsd??
-1,f.durationMs??-1,m,p,h))}i(zr,"endText");var Gs=Object.freeze([]),Js=Object.freeze([]);function Xr(t){if((t&7)===0)return Gs;let e=[];return(t&1)!==0&&e.push("to\
kens"),(t&2)!==0&&e.push("costUsd"),(t&4)!==0&&e.push("turns"),e}i(Xr,"dimensions");var Hs=new Set(["max_turns","timeout",
"idle_timeout","never_reported","budget_exhausted"]);function Qr({runtime:t,slot:e,generation:n}){return(t.isClosed?void 0:
t.call(r=>r.raisedBy(e,n)))??null}i(Qr,"raisedBy");var ee=class t{static{i(this,"RunResult")}run;status;stopReason;output;partial;truncated;error;cause;hostStatus;hostTaskId;hostStillRunning;artifacts;value;usage;durationMs;started;raisedBy;#e;#n;constructor(e,n,r,o,s,a,u,d,c,f,l,m,p,h){
this.#e=e,this.#n=typeof e=="string"?void 0:e,this.run=typeof e=="string"?0:e.run,this.status=n,this.stopReason=r,this.output=
o,this.partial=l,this.truncated=m,this.error=s?.error,this.cause=s?.cause,this.hostStatus=s?.hostStatus,this.hostTaskId=
s?.hostTaskId??this.#n?.hostTaskId,this.hostStillRunning=p,this.artifacts=s?.artifacts??Js,this.value=s?.valueJson===void 0?
void 0:s.value,this.usage={tokens:a,costUsd:u/1e9,turns:d,unknown:Xr(c),invalid:Xr(c>>>8)},this.durationMs=f,this.started=
h,this.raisedBy=this.#n!==void 0&&Hs.has(r)?Qr(this.#n):null}get taskId(){return typeof this.#e!="string"&&(this.#e=this.#e.
taskId),this.#e}get success(){return this.status==="completed"}get backgrounded(){return this.status==="running"||this.status===
"pending"}get report(){let e=this.#r;return Sr(this,e.run===this.run?e.agent:void 0,e.runtime,e)}get text(){let e=this.#r;
return e.format==="json"?he(this.report):zr(e.runtime,e,this.run,this.#t)}get#t(){let{status:e,stopReason:n,output:r,error:o,
hostStatus:s}=this;return{status:e,stopReason:n,output:r,error:o,hostStatus:s,figures:this.figures}}get figures(){return dn(
this.usage,this.started,this.durationMs)}get#r(){return this.#n}toJSON(){let{cause:e,...n}=this;return{taskId:this.taskId,
success:this.success,...n}}static movedToBackground(e){let{runtime:n,slot:r,generation:o}=e;if(!n.call(a=>a.isOpen(r,o,e.
run)))return;let s=n.lookup.snapshot(r,o);return s.background&&!s.cancelRequested?t.of({...s,output:ln(s)},e):void 0}static of(e,n){
let r={error:e.error??void 0,hostStatus:e.hostStatus??void 0,hostTaskId:e.hostTaskId??void 0,artifacts:e.artifacts,value:e.
value,valueJson:e.value===null?void 0:""},o=n.runtime.call(a=>a.lastEnd(n.slot)),s=new t(e.taskId,z[o%256],T[o>>>8],e.output,
r,e.usage.tokens,e.usage.costUsd*1e9,e.usage.turns,0,e.durationMs??0,e.partial,e.truncated,e.hostStillRunning,e.startedAt!==
null);return s.#n=n,Object.assign(s,{run:e.run,usage:e.usage,raisedBy:Qr(n)})}};var Vs=["timeout","stopped"];function Zr(t,e,n){let{asking:r}=t;t.asking=void 0,r!==void 0&&r.resolve(e===0?{answered:!0,
answer:n}:{answered:!1,reason:Vs[e-1]??"stopped"})}i(Zr,"askDone");function mt(t,e,n){let r=t.call(a=>a.question(e,n)),o=t.
lookup.taskId(e,n),s=`the sub-agent ${o} asks and waits for a message`;return new w("needs_input",r===void 0?s:`${s}: '${I(
r,Le)}'`,{taskId:o,question:r??null})}i(mt,"needsInput");var qs=1,ht=2,Ys=4,eo=8,zs=16;function pt(t,e,n){return`${t} ${e} ${n}`}i(pt,"nameOf");var An=class{static{i(this,"Runs")}lives=[];endedOpen=new Map;manualEnds=new Map;runtime;constructor(e){
this.runtime=e}keep(e){this.lives[e.slot]===void 0&&this.runtime.keepAlive.begin(),this.lives[e.slot]=e}startRun(e,n,r){
if(this.runtime.isClosed)return;let o=this.find(e,n,r)??this.newLive(e,n,r);if(this.lives[e]!==o&&!this.runtime.call(s=>s.
isOpen(e,n,r))){this.runtime.hosts.settle(o,fe());return}this.keep(o),o.text??=this.runtime.call(s=>s.message(e)),this.runtime.
contexts.run(e,n,()=>this.start(o))}newLive(e,n,r){let o=new V(this.runtime,void 0);return o.slot=e,o.generation=n,o.run=
r,o}start(e){let{gates:n,hosts:r}=this.runtime;n.sub.has("before_start")?n.start(e,()=>r.start(e)):r.start(e)}find(e,n,r){
let o=this.lives[e];return o?.run===r&&o.generation===n?o:void 0}findOpen(e,n,r){return this.find(e,n,r)??this.endedOpen.
get(pt(e,n,r))}runEnded(e,n,r,o,s,a,u,d,c,f,l,m){let{pins:p}=this.runtime,h=this.find(e,n,r);if(h?.hostOpen!==!0&&this.runtime.
hosts.keepAwake(),h===void 0){if(!p.hold(e))return;let $=this.manualEnds.get(e);this.manualEnds.delete(e);let Se=(a&eo)!==
0?this.runtime.scratch.read(l,m):$?.output??"";p.ended(e,n,r,no("",o,s,a,Se,$,u,d,c,f));return}this.lives[e]=void 0,this.
runtime.keepAlive.end(),(a&ht)!==0&&(this.endedOpen.set(pt(e,n,r),h),this.runtime.hosts.goOnWithout(h)),h.unfollow?.(),h.
agent?.stop(),!h.settled&&!h.hostOpen&&h.abort(T[s]??"never_reported");let y=(a&ht)===0?h.returned??Xs(h.before):void 0,
S=(a&eo)!==0?this.runtime.scratch.read(l,m):y?.output??"";T[s]==="policy"&&(y={...y??fe(),...this.madeByPolicy(h)}),h.result=
no(h,o,s,a,S,y,u,d,c,f),p.ended(e,n,r,h.result);for(let{resolve:$}of h.followers??[])$(h.result);h.named?.resolve();let x=h.
turn;x!==void 0&&(h.turn=void 0,x.resolve({go:!1,reason:T[s]??"host_failed"}))}manualEnded(e,n){this.runtime.pins.hold(e)&&
this.manualEnds.set(e,n)}runRetried(e,n,r,o){let{pins:s,sessionData:a,hosts:u}=this.runtime;a.empty(e,n),s.retried(e,n,r),
u.keepAwake();let d=this.find(e,n,r);if(d===void 0)return;d.agent?.stop();let c=T[o]??"host_failed";d.turn?.resolve({go:!1,
reason:c}),d.turn=void 0,this.lives[e]=d.again(c)}madeByPolicy({slot:e,generation:n,agent:r}){if(this.runtime.call(a=>a.
status(e,n))<0){let a=r?.blockedBecause;return{error:a&&Kt(a,F(this.runtime,"maxResultBytes")),artifacts:void 0}}let{error:o,
artifacts:s}=this.runtime.lookup.snapshot(e,n);return{error:o??void 0,artifacts:s}}abortRun(e,n,r,o){let s=this.findOpen(
e,n,r);s!==void 0&&(s.agent?.stop(),this.runtime.contexts.run(e,n,()=>s.abort(T[o]??"cancelled")))}policiesDue(e,n,r,o){
let s=this.findOpen(e,n,r);if(s===void 0)return;let a=T[o];a==="timeout"||a==="idle_timeout"?this.runtime.contexts.run(e,
n,()=>this.runtime.gates.timedOut(s,a)):s.agent?.overdue()}askDone(e,n,r,o,s,a){let u=this.find(e,n,r);u!==void 0&&Zr(u,
o,this.runtime.scratch.read(s,a))}turnReady(e,n,r){let o=this.find(e,n,r);if(o===void 0)return;let s=o.takeStart();if(s!==
void 0){this.runtime.contexts.run(e,n,s);return}let{turn:a}=o;if(a===void 0)return;let u=this.beginTurn(o,a.estimate);u!==
void 0&&(o.turn=void 0,a.resolve(u))}liveOf(e,n){let r=this.lives[e];if(r!==void 0&&r.generation===n)return r;let o=this.
runtime.call(a=>a.lastRun(e,n));if(o===0||!this.runtime.call(a=>a.isOpen(e,n,o)))return;let s=this.newLive(e,n,o);return this.
keep(s),s}takeTurn(e,n){let r=this.beginTurn(e,n),o=r===void 0?new Promise((s,a)=>{e.turn={estimate:n,resolve:s,reject:a}}):
this.runtime.answer(r);return this.runtime.carryOut(),o}beginTurn(e,n){let r=this.runtime.call(c=>c.beginTurn(b(),e.slot,
e.generation,e.run,n));if(r===0)return;if(r===-1)return{go:!1,reason:"actor_ended"};if(r<0)return{go:!1,reason:T[-2-r]??
"cancelled"};let{turn:o,injects:s,wrapUp:a}=un(r),u=s?{inject:this.runtime.call(c=>c.takeInject())}:void 0;if(a===void 0)
return{go:!0,turn:o,...u};let d=this.runtime.call(c=>c.heldTokens(e.slot));return{go:!0,turn:o,wrapUp:!0,reason:a,tokens:d,
...u}}returned({slot:e,generation:n,run:r}){this.endedOpen.size>0&&this.endedOpen.delete(pt(e,n,r))}batchOver(){this.endedOpen.
clear()}close(e){for(let n of this.lives)if(n!==void 0){n.turn?.reject(e),n.turn=void 0,n.asking?.reject(e),n.asking=void 0;
for(let{reject:r}of n.followers??[])r(e);n.named?.resolve(),n.unfollow?.(),n.agent?.stop(),n.abort(e.code==="disposed"?"\
cancelled":"host_lost")}this.lives.length=0,this.manualEnds.clear()}};function Xs(t){return t&&{...fe(),error:t.error,cause:t.
cause}}i(Xs,"errorOf");function no(t,e,n,r,o,s,a,u,d,c){return new ee(t,z[e]??"failed",T[n]??"host_failed",o,s,a,u,d,r>>>
8,c,(r&qs)!==0,(r&Ys)!==0,(r&ht)!==0,(r&zs)===0)}i(no,"resultOf");var xn=class{static{i(this,"SessionData")}kept=new Map;runtime;constructor(e){this.runtime=e}of(e,n){return this.keptOf(
e,n).values}empty(e,n){let r=this.kept.get(e);r?.generation===n&&r.values.clear()}check(e,n,r){this.keptOf(e,n).check=r}checkOf(e,n){
let r=this.kept.get(e);return r?.generation===n?r.check:void 0}keptOf(e,n){let r=this.kept.get(e);if(r?.generation===n)return r;
if(this.runtime.call(s=>s.status(e,n))<0)throw new w("forgotten","this sub-agent has been forgotten");this.runtime.call(
s=>s.tellForgotten());let o={generation:n,values:new Map};return this.kept.set(e,o),o}taskForgotten(e,n){this.kept.get(e)?.
generation===n&&this.kept.delete(e)}clear(){this.kept.clear()}};function to(t){let e=t.call(r=>r.claimed()),n=[];for(let r=0;r<e.length;r+=3){let[o,s,a]=e.subarray(r,r+3),u=t.call(d=>d.
deliveryId(o,s,a));n.push({deliveryId:u,taskId:t.lookup.taskId(o,s),run:a})}return n}i(to,"claimedEnds");var ro=-2,Qs=-3,oo=-4,Zs="only the waiting was aborted: what was to be stopped is being stopped all the same",vn=class{static{
i(this,"Waits")}open=[];crowded=new Map;count=0;untilClosed=new Set;runtime;constructor(e){this.runtime=e}get areOpen(){
return this.count>0||this.untilClosed.size>0}waitFor(e,n,r,o){this.runtime.check();let{slot:s,generation:a}=n,u=this.runtime.
runs.liveOf(s,a),c=r===Number.POSITIVE_INFINITY&&e.run===0&&!this.runtime.listeners.listening?0:b(),f=B(this.runtime),l;
try{l=this.runtime.core.wait(c,e.slot,e.generation,e.run,s,a,r)}catch(p){throw this.runtime.poison(p)}finally{U(f)}if(l===
-1)throw this.runtime.refusal();let m=l<0?this.answered(l,n):this.waiting(l,u,e,o);return this.runtime.carryOut(),m}answered(e,n){
return e===oo?this.runtime.answer(void 0):e===Qs?Promise.reject(mt(this.runtime,n.slot,n.generation)):this.runtime.answer(
this.pastResult(n))}waiting(e,n,r,o){return new Promise((s,a)=>{this.keep({wait:e,live:n,actor:r,resolve:s,reject:a},o),
this.runtime.hosts.keepAwake()})}pastResult({slot:e,generation:n,latest:r}){let o=this.runtime.call(s=>s.lastRun(e,n));return r.
result!==void 0&&(o===0||r.run===o)?r.result:ee.of(this.runtime.lookup.snapshot(e,n),r)}waitMany(e,n,{all:r,idle:o,timeoutMs:s},a,u){
let d=new Uint32Array(n.flatMap(m=>[m.slot,m.generation])),c=(r?1:0)+(o?2:0),f=this.runtime.call(m=>m.waitMany(b(),e.slot,
e.generation,e.run,d,c,s));if(f===-1)throw this.runtime.refusal();if(f>=0)return this.opened(f,u,void 0,a);let l=a(f===oo,
this.runtime.call(m=>m.told())??[]);return this.runtime.carryOut(),this.runtime.answer(l)}cancel(e,n,r,o,s=Number.NaN,a){
return this.settled(u=>u.cancel(b(),e.slot,e.generation,e.run,n,r,T.indexOf(o),s),a)}settled(e,n){let r=this.runtime.call(
e);if(r===-1)throw this.runtime.refusal();let o={acked:to(this.runtime)},s=this.opened(r,n,Zs);return r===ro?this.runtime.
answer(o):s.then(()=>o)}opened(e,n,r,o){let s=e===ro?this.runtime.answer(void 0):new Promise((a,u)=>{this.keep({wait:e,live:void 0,
read:o,resolve:a,reject:u},n,r),this.runtime.hosts.keepAwake()});return this.runtime.carryOut(),s}drain(e){this.runtime.
act(r=>r.startDrain(b(),e));let n=this.runtime.call(r=>r.drain(b(),e));return this.runtime.keepAlive.begin(),new Promise(
(r,o)=>{this.untilClosed.add(o),this.runtime.hosts.keepAwake(),n.then(s=>{this.untilClosed.delete(o)&&this.runtime.keepAlive.
end(),this.runtime.hosts.keepAwake(),r(s)},s=>o(this.runtime.poison(s)))})}keep(e,n,r="the wait was aborted; that touche\
s no sub-agent"){let{wait:o}=e,s=Z(o);this.open[s]===void 0?this.open[s]=e:this.crowded.set(o,e),this.runtime.keepAlive.
begin(),this.count+=1,n!==void 0&&this.follow(e,n,r)}take(e){let n=Z(e),r=this.open[n];if(r?.wait===e)return this.open[n]=
void 0,r;if(this.crowded.size===0)return;let o=this.crowded.get(e);return this.crowded.delete(e),o}done(e,n,r){let o=this.
take(e);if(o===void 0)return;this.runtime.keepAlive.end(),this.count-=1,this.runtime.hosts.keepAwake();let{resolve:s,unfollow:a}=o,
u=o.live?.latest;a?.();try{u===void 0?s(o.read===void 0?n:o.read(n,r??[])):u.result===void 0&&!n?this.endWithout(o,u):s(
n?void 0:u.result)}catch(d){o.reject(d)}}endWithout({actor:e,resolve:n,reject:r},o){let{slot:s,generation:a}=o,{runtime:u}=this;
if(u.call(c=>c.question(s,a))!==void 0){r(mt(u,s,a));return}let d=ee.movedToBackground(o);d!==void 0?n(d):e!==void 0&&this.
waitFor(e,o,Number.POSITIVE_INFINITY).then(n,r)}rejectAll(e){for(let n of[...this.open,...this.crowded.values()])n!==void 0&&
(n.unfollow?.(),n.reject(e));this.open.length=0,this.crowded.clear(),this.count=0;for(let n of this.untilClosed)n(e);this.
untilClosed.clear()}follow(e,n,r){let{wait:o}=e,s=Z(o),a=i(()=>{this.open[s]!==e&&this.crowded.get(o)!==e||(delete e.actor,
e.reject(new w("aborted",r,{},{cause:n.reason})),this.runtime.unasked(u=>u.endWait(b(),s,o)),this.runtime.carryOut())},"\
fire");if(n.aborted){a();return}e.unfollow=ct(n,a)}};var Tn=class{static{i(this,"Wakes")}#e;#n=new Map;#t=new Set;#r=new Set;constructor(e){this.#e=e}register(e,n,r){r===void 0?
this.#n.delete(e):this.#n.set(e,{scope:n,onWake:le(r)})}mark(e){this.#n.has(e)&&(this.#t.size===0&&queueMicrotask(()=>this.#o()),
this.#t.add(e),!this.#r.has(e)&&(this.#r.add(e),this.#e.keepAlive.begin()))}review(){for(let e of this.#r)this.#n.has(e)&&
this.#e.unasked(n=>n.noticesWait(e))===!0||this.#r.delete(e)&&this.#e.keepAlive.end()}clear(){this.#n.clear(),this.#r.clear()}#o(){
let e=this.#t;this.#t=new Set;for(let n of e){let r=this.#n.get(n),o=this.#e.unasked(s=>s.pendingNotices(n));r===void 0||
o===void 0||o===0||(this.#e.tell(()=>r.onWake(r.scope,{pending:o})),this.#e.unasked(s=>s.woken(b(),n)),this.#e.carryOut())}
this.review()}};function so(t){return t===void 0?"Send it a message to answer.":`${t} answers it.`}i(so,"howToAnswer");function io(t){return(typeof t=="string"?t.trim()===""?void 0:JSON.parse(t):t)??{}}i(io,"parsed");function ao(t){let e=oi({...t.schema},s=>t.check(s)),{name:n,label:r,description:o}=t;return{name:n,label:r,description:o,
parameters:e,inputSchema:e,execute(...s){return s.length>1&&ei(s[0])?ni(t,s):ti(t,s)}}}i(ao,"toolObject");function ei(t){
return typeof t=="string"&&!/^\s*[{["]/.test(t)}i(ei,"isCallId");async function ni(t,e){let[n,r,o,s]=e,a=typeof s!="func\
tion"?void 0:c=>{let f=c(),l={content:[{type:"text",text:f.text}],details:t.detailsOf(f)};return s(l)},{text:u,details:d}=await t.
call(r,{signal:uo(o),toolCallId:n,progress:a});return{content:[{type:"text",text:u}],details:d}}i(ni,"calledByPi");function ti(t,e){
let n=new gt,r=(async()=>{let[o,s]=e,{signal:a,abortSignal:u,toolCallId:d,onUpdate:c,writer:f,outputWriter:l}=v("the opt\
ions of the call",()=>{let y=i(Se=>C(Object(s),Se),"given"),[S,x,$]=[y("signal"),y("abortSignal"),y("toolCallId")];return{
signal:S,abortSignal:x,toolCallId:$,onUpdate:y("onUpdate"),writer:y("writer"),outputWriter:y("outputWriter")}}),m=typeof c==
"function"?c:ri(f,l,d),p=i(y=>(n.push(y),m?.(y())),"progress"),h={signal:uo(a??u),toolCallId:typeof d=="string"?d:void 0,
progress:p};return(await t.call(o,h)).text})();return Object.defineProperty(r,Symbol.asyncIterator,{value:i(()=>n.until(
r),"value")})}i(ti,"called");function uo(t){return Je("`signal`",t??void 0)}i(uo,"signalFrom");function ri(t,e,n){if(typeof t==
"function")return r=>t({type:"subagent-progress",toolCallId:n,...r});if(typeof e=="function")return r=>{Promise.resolve(
e({type:"data-subagent-progress",data:{toolCallId:n,...r}})).catch(()=>{})}}i(ri,"sinkOf");var gt=class{static{i(this,"U\
pdates")}newest=void 0;count=0;waiting=[];push(e){this.newest=e,this.count+=1,this.wake()}wake(){for(let e of this.waiting.
splice(0))e()}async*until(e){let n=!1,r=0,o=i(()=>{n=!0,this.wake()},"end");for(e.then(o,o);;)if(this.newest!==void 0&&this.
count>r)r=this.count,yield this.newest().text;else{if(n)break;await new Promise(s=>{this.waiting.push(s)})}yield await e}};
function oi(t,e){let n=i(()=>structuredClone(t),"plain");return Object.defineProperty(t,"~standard",{enumerable:!1,value:{
version:1,vendor:"subagents",validate(r){let o=e(r);return"params"in o?{value:io(r)}:{issues:o.mistakes.map(s=>({message:s}))}},
jsonSchema:{input:n,output:n}}})}i(oi,"withStandard");function co(t){let e=0,n="";return(r,o)=>{e=o.turn??e,n=o.message??n;let s={turn:e,message:n};r.runtime.tell(()=>{let{taskId:a}=r,
{label:u}=r.brief();return t(()=>si({taskId:a,label:u,...s}))})}}i(co,"watcher");function si(t){let{label:e,turn:n,message:r}=t,
o=n===0?"has started":`is at turn ${n}`,s=`[${I(e,X)}] ${o}${r===""?"":`: ${I(r,Le)}`}`;return{...t,text:s}}i(si,"progre\
ssOf");function Fe(t,e,n,r){if(n===void 0)return r.text;try{let o=n(r);if(typeof o=="string"&&o!=="")return o;t.report(g(`what \
\`texts.${e}\` returns`,"a text that is not empty",o))}catch(o){t.report(o)}return r.text}i(Fe,"said");function fo(t,e=[]){try{return ii(typeof t=="string"?JSON.parse(t):t,e)}catch(n){return{mistakes:[`the arguments can't b\
e read: ${I(A(n),De)}`]}}}i(fo,"checkArguments");function ii(t,e){if(typeof t!="object"||t===null||Array.isArray(t))return{
mistakes:[`the arguments must be an object with \`instructions\`, got ${k(t)}`]};let n=[],r=i(p=>C(t,p),"given"),[o,s]=[
r("instructions"),r("systemPrompt")],[a,u,d]=[r("maxTurns"),r("maxCost"),r("background")],c=e.length>0?r("agent"):void 0,
f=ai(r("tools")),l=i((p,h,y)=>{n.push(`\`${p}\` must be ${h}, got ${k(y)}`)},"wrong");if((typeof o!="string"||o.trim()===
"")&&l("instructions","a text that says the whole task",o),!ne(f)&&!(Array.isArray(f)&&f.every(p=>typeof p=="string"))&&
l("tools","a list of tool names",f),!ne(s)&&typeof s!="string"&&l("systemPrompt","a text",s),!ne(a)&&!(Number.isInteger(
a)&&a>=1)&&l("maxTurns","a whole number of at least 1",a),!ne(u)&&!(typeof u=="number"&&u>0&&u<Number.POSITIVE_INFINITY)&&
l("maxCost","a number of US dollars above 0",u),!ne(d)&&typeof d!="boolean"&&l("background","true or false",d),!ne(c)&&!(typeof c==
"string"&&e.includes(c))&&l("agent",`one of ${e.join(", ")}`,c),n.length>0)return{mistakes:n};let m=Object.entries({instructions:o,
tools:f,systemPrompt:s,maxTurns:a,maxCost:u,background:d,agent:c}).filter(([,p])=>!ne(p));return{params:t,checked:Object.
fromEntries(m)}}i(ii,"check");function ai(t){return Array.isArray(t)?Mt("`tools`",t):t}i(ai,"listOf");function ne(t){return t==
null}i(ne,"absent");function bt(t,{taskId:e,hostTaskId:n}){if(n===null)return e;let r=t.write(e),o=t.call(u=>u.find(0,0,0,r));if(o<0)return e;
let{slot:s,generation:a}=W(o);return t.call(u=>u.toldId(s,a))}i(bt,"idTold");function po(t,e){return ui(t,Me,{},e)}i(po,"makeTool");function ui(t,e,n,r,o=!1){let{names:s,descriptions:a}=t.agents,u=di(
r.parameters,s),d=s.length===0?r.description:`${r.description}

What \`agent\` may name:
${a}`,c=i(f=>fo(f,s),"check");return ci(new yt(t,e,n,{},o),{name:r.name,description:d,schema:u,check:c})}i(ui,"assemble");
function di(t,e){if(e.length===0)return{...t};let n={type:"string",enum:e,description:"The kind of sub-agent to use. Lea\
ve it out for a general one."};return{...t,properties:{...t.properties,agent:n}}}i(di,"withAgents");function ci(t,e,n){let{
name:r,description:o,schema:s,check:a}=e;return ao({name:r,label:"Sub-agent",description:o,schema:s,check:i(u=>a(u),"che\
ck"),async call(u,d){let c=a(u);return await n?.(c,d)??t.run(c,d)},detailsOf:i(({taskId:u,turn:d})=>({taskId:u,background:!1,
status:"running",durationMs:null,turns:d,cost:null}),"detailsOf")})}i(ci,"spawnTool");var yt=class{static{i(this,"SpawnC\
all")}runtime;actor;options;others;isAlone;constructor(e,n,r,o={},s=!1){this.isAlone=s,this.runtime=e,this.actor=n,this.
options=r,this.others=o}async run(e,n){this.runtime.check();let r=await this.answer(e,n),{onDetails:o}=this.options;return o!==
void 0&&this.runtime.tell(()=>o(r.details,n.toolCallId)),r}async answer(e,n){let{signal:r,toolCallId:o,progress:s}=n;if("\
mistakes"in e)return this.refused(`${e.mistakes.join("; ")}. Correct the arguments and call again.`);let a=this.hostLimit();
if(a!==void 0)return this.refused(a.why,void 0,a.full);if(r?.aborted===!0)return this.refused("the call was aborted befo\
re it began.");let{params:u,checked:d}=e,c,f,{backgroundTimeoutMs:l}=this.options,[m,p,h]=[this.keyOf(o,u),this.originOf(),
this.metadataOf(o,u)];try{let S=D("what `idempotencyKey` returns",m),x={...d,...S!==void 0&&{idempotencyKey:S},...p!==void 0&&
{origin:p},...h!==void 0&&{metadata:h}};f=Ie(x,this.runtime,!0),f.background&&l!==void 0&&(f=Ie({...x,timeoutMs:l},this.
runtime,!0)),f.signal=r,f.answers=this.answers,this.options.format==="json"&&(on(f).json=!0),s!==void 0&&!f.background&&
(f.watch=co(s)),c=Wr(this.runtime,this.actor,f,u)}catch(S){if(ke(S))return typeof S.details.report=="string"?this.reported(
S.details.report):this.refused(`${li(Ue(S))}${gi(S.code)}`,S);throw S}let y=f.staged?.modelId??this.modelOf(c);try{return f.
repeated===!0?await this.repeated(c,f.background,r):f.background?(await(c.named&&St(c.named.promise,F(this.runtime,"grac\
eMs"))),this.runtime.check(),fi(r)||this.isAlone&&c.result?.success===!1?await this.outcome(c,y):this.movedOn(c,y)):await this.
outcome(c,y)}catch(S){if(ke(S)&&c.result!==void 0)return this.ended(c,c.result,y);throw S}}async outcome(e,n){try{let r=await this.
runtime.waits.waitFor(this.actor,e,Number.POSITIVE_INFINITY);return r.backgrounded?this.movedOn(e,n):this.ended(e,r,n)}catch(r){
if(ke(r)&&r.code==="needs_input")return this.asks(e,n);throw r}}keyOf(e,n){let{idempotencyKey:r}=this.options;return r===
void 0?void 0:r(e,n)}metadataOf(e,n){let{metadata:r}=this.options;return typeof r=="function"?r(e,n):r}originOf(){let{origin:e}=this.
options;return typeof e=="function"?e():e}async repeated(e,n,r){let o=this.runtime.lookup.snapshot(e.slot,e.generation),
s=o.modelId??void 0;if(n){let{taskId:a,status:u,label:d}=o,c={...mo(o),taskId:a,background:!0,status:u,durationMs:null,turns:null,
cost:null},f=`Subagent [${I(d,X)}] was started before (id: ${bt(this.runtime,o)}); it is ${u}.`;return{text:this.told(f,
a,u),details:this.withModel(c,s)}}try{let a=await this.runtime.waits.waitFor(this.actor,e,Number.POSITIVE_INFINITY,r);return a.
backgrounded?this.started(e,s):this.ended(e,a,s)}catch(a){if(ke(a)&&a.code==="needs_input")return this.asks(e,s);if(!(ke(
a)&&a.code==="aborted"))throw a;let u=lo(o),d={...mo(o),taskId:o.taskId,background:!1,status:u,durationMs:null,turns:null,
cost:null},c=`The call was aborted; sub-agent ${bt(this.runtime,o)}, which was started before, goes on.`;return{text:this.
told(c,o.taskId,u),details:this.withModel(d,s)}}}get answers(){let{canAnswer:e}=this.options;return e===void 0?16:e?0:32}async asks(e,n){
let{slot:r,generation:o,taskId:s}=e,{actor:a}=this,u=this.runtime.call(p=>p.questionText(r,o));if(!this.runtime.act(p=>p.
moveToBackground(b(),a.slot,a.generation,a.run,r,o)))return this.outcome(e,n);this.letGoOfCall(e);let f=`${u===void 0?`S\
ubagent [${I(e.brief().label,X)}] (id: ${this.runtime.call(p=>p.toldId(r,o))}) asked, and has been answered meanwhile.`:
`${u}
${so(this.others.answer)}`} It goes on in the background; I'll notify you when it completes.`,l=this.isJson?he({...cn(s,
"running",null),output:f}):f,m={taskId:s,background:!0,status:"running",durationMs:null,turns:null,cost:null};return{text:l,
details:this.withModel(m,n)}}movedOn(e,n){return this.letGoOfCall(e),this.started(e,n)}letGoOfCall(e){e.unfollow?.(),e.unfollow=
void 0}hostLimit(){let{canSpawn:e,getConcurrencyInfo:n}=this.runtime.functions;if(e!==void 0)try{if(e()===!0)return;let r=n?.();
return{why:`${r===void 0?"the limit of sub-agents is reached":`${r.active} of ${r.limit} sub-agents are running`}. Wait \
until one ends, or do the work yourself.`,full:{active:r?.active,limit:r?.limit}}}catch(r){return{why:`the host could no\
t say whether a sub-agent may start: ${I(A(r),De)}.`}}}refused(e,n,r=pi(n)){let o=`No sub-agent was started: ${e}`,{texts:s}=this,
a=r===void 0?Fe(this.runtime,"refused",s?.refused,{reason:e,text:o}):Fe(this.runtime,"limitReached",s?.limitReached,{...r,
text:o}),u=this.detailsOfNone(n),{taskId:d,status:c}=u;return{text:this.told(a,d||null,c,a),details:u}}detailsOfNone(e){
let n=e?.code==="idempotency_forgotten",r=n?e.details.taskId:"",o=n?"forgotten":"refused";return this.withModel({taskId:r,
background:!1,status:o,durationMs:null,turns:null,cost:null})}get texts(){return this.isJson?void 0:this.options.texts}get isJson(){
return this.options.format==="json"}told(e,n,r,o=null){return this.isJson?he(cn(n,r,o)):e}reported(e){let n=this.detailsOfNone();
return{text:this.isJson&&Qn(e)===void 0?he({...cn(null,"refused",null),output:e}):e,details:n}}started(e,n){let{taskId:r,
hostTaskId:o,slot:s,generation:a}=e,{collect:u}=this.others,d=this.runtime.call(S=>S.toldId(s,a)),c=e.snapshot(),{label:f}=c,
l=lo(c),m=`${ln({label:f,taskId:d})}${u===void 0?"":` ${u} gets its result.`}`,p=Fe(this.runtime,"started",this.texts?.started,
{id:d,taskId:r,hostTaskId:o,label:f,text:m}),h=this.told(p,r,l),y={taskId:r,background:!0,status:l,durationMs:null,turns:null,
cost:null};return o!==void 0&&(y.hostTaskId=o),{text:h,details:this.withModel(y,n)}}ended(e,n,r){let{status:o,hostStatus:s}=n,
{turns:a,costUsd:u,durationMs:d}=n.figures,{rest:c}=this.others,l=c!==void 0&&!this.isJson&&this.runtime.write(n.output)>
F(this.runtime,"inlineBytes")?`${n.text}
${c} shows what was left out.`:n.text,m={taskId:e.taskId,background:e.background,status:o,durationMs:d,turns:a,cost:u};n.
hostTaskId!==void 0&&(m.hostTaskId=n.hostTaskId),s!==void 0&&(m.hostStatus=s),n.artifacts.length>0&&(m.artifacts=n.artifacts);
let p=o==="completed"?"completed":"failed",h=this.texts?.[p];return{text:h===void 0?l:Fe(this.runtime,p,h,this.factsOf(e,
n,m,l)),details:this.withModel(m,r)}}modelOf({slot:e,generation:n}){return this.runtime.isClosed?void 0:this.runtime.call(
r=>r.modelId(e,n))}factsOf(e,n,{turns:r,cost:o,durationMs:s},a){let{taskId:u,slot:d,generation:c}=e,{hostTaskId:f,status:l,
stopReason:m,output:p}=n,h=this.runtime.call($=>$.toldId(d,c)),y=mi(e),S=a.indexOf(`
`),x=S<0?"":a.slice(S+1);return{id:h,taskId:u,hostTaskId:f,label:y,status:l,stopReason:m,turns:r,cost:o,durationMs:s,output:p,
fenced:x,text:a}}withModel(e,n){try{let r=n??this.runtime.functions.getModelId?.();return typeof r=="string"?{...e,modelId:r}:
e}catch{return e}}};function fi(t){return t?.aborted===!0}i(fi,"hasFired");function lo({status:t}){return t==="pending"?
"pending":"running"}i(lo,"underWay");function ke(t){return Cn(t)&&t.code!=="disposed"&&t.code!=="internal"}i(ke,"isRefus\
al");function li(t){return/[.!?…]$/u.test(t)?t:`${t}.`}i(li,"sentence");function mi(t){try{return t.brief().label}catch(e){
if(ke(e))return"";throw e}}i(mi,"labelOf");function pi(t){if(t===void 0||!hi.has(t.code))return;let{active:e,limit:n}=t.
details;return{active:e,limit:n}}i(pi,"fullBy");var hi=new Set(["concurrency_limit","queue_full","children_limit","tasks\
_limit","abandoned_limit"]);function gi(t){return["concurrency_limit","queue_full","children_limit"].includes(t)?" Wait \
until one ends, or do the work yourself.":["budget_exhausted","depth_limit","draining","abandoned_limit","tasks_limit"].
includes(t)?" Do the work yourself.":""}i(gi,"adviceOn");function mo({hostTaskId:t}){return t===null?{}:{hostTaskId:t}}i(
mo,"hostIdOf");var On=class{static{i(this,"Runtime")}host;door;core;functions;agents=new me(void 0);profiles=new pe(void 0);gates;journal=void 0;seeded=!1;idKey=void 0;scratch;runs=new An(
this);hosts;waits=new vn(this);lookup=new bn(this);listeners;sessionData=new xn(this);contexts=new Qe;pins=new Sn(this);wakes=new Tn(
this);signals=new gn;keepAlive;alarm;runMaker;closed;constructor(e,n,r){this.functions=n,this.runMaker=r,this.door=new mn(
this),this.alarm=new te(bi(we(this.door))),this.keepAlive=new kn(this.alarm,this),this.host=Cr(this,this.door,this.alarm),
this.core=new e.SubAgentCore(this.host),e.onFailure=o=>this.poison(o),this.scratch=new We(this.core,e.memory),this.hosts=
new wn(this,this.scratch,this.alarm),this.listeners=new pn(this,this.scratch),this.gates=new be(this,{},{})}check(){if(this.
closed!==void 0)throw this.closed}get isClosed(){return this.closed!==void 0}get isDisposed(){return this.closed?.code===
"disposed"}call(e){this.check();let n=B(this);try{return e(this.core)}catch(r){throw this.poison(r)}finally{U(n)}}carryOut(){
if(this.closed!==void 0)return;if(this.journal?.isSync===!0){this.journal.carryOut();return}let e=B(this);try{this.core.
carryOut()}catch(n){this.poison(n)}finally{U(e)}}act(e){let n=this.call(e);return this.carryOut(),this.expectSound(),n}order(e){
if(!this.call(e))throw this.refusal();this.carryOut(),this.expectSound()}expectSound(){if(this.closed!==void 0&&!this.isDisposed)
throw this.closed}unasked(e){if(this.closed!==void 0)return;let n=B(this);try{return e(this.core)}catch(r){this.poison(r);
return}finally{U(n)}}alone(e){e.catch(n=>{n!==this.closed&&this.report(n)})}refusal(){let{code:e,message:n,told:r,details:o}=this.
call(s=>s.refusal());return this.carryOut(),Be(new w(e,n,o),r)}ask(e){if(!this.call(e))throw this.refusal()}together(e){
if(this.journal?.isSync===!0)return this.journal.together(e);let n=this.call(r=>r.hold());try{return e()}finally{n&&this.
call(r=>r.goOn())}}answer(e){return this.journal===void 0?Promise.resolve(e):this.journal.answer(e)}write(e){try{return this.
scratch.write(e)}catch(n){throw this.poison(n)}}writeAll(e){try{return this.scratch.writeAll(e)}catch(n){throw this.poison(
n)}}wakeAt(e){this.isClosed||(this.alarm.set(e),this.hosts.keepAwake())}tick(){this.unasked(e=>e.tick(b())),this.carryOut(),
this.wakes.review(),this.hosts.keepAwake(),this.runs.batchOver()}makeRun(e){return this.runMaker(this,e)}consumerGate(e){
return ft(this,e)}makeTool(e){return po(this,e)}startsStopped(e){if(this.functions.onError===void 0)return;let n=`${e} a\
bandoned host functions are still running, so nothing starts until one returns; \`maxAbandoned\` raises it`;this.report(
new w("abandoned_limit",n,{limit:e,option:"maxAbandoned"}))}report(e){Ae(e);let{onError:n}=this.functions;n===void 0?rt(
e):ot(()=>n(e),rt)}tell(e){ot(e,n=>this.report(n))}dispose(){this.end(new w("disposed","the manager has been disposed"))}fail(e){
this.end(e),this.report(e)}end(e){if(this.closed===void 0){this.journal!==void 0&&this.unasked(n=>n.setAside()),this.close(
e),it(this);try{this.idKey=this.core.idKey(),this.core.dispose()}catch{}this.letGo()}}letGo(){if(Mr()){queueMicrotask(()=>this.
letGo());return}this.scratch.letGo(),this.core=void 0}poison(e){if(this.closed===void 0){let n=new w("internal",`the man\
ager's core failed: ${A(e)}`);this.close(n),it(this),this.core.__destroy_into_raw(),this.letGo()}return this.closed}close(e){
this.closed=e,this.journal?.close(e),this.alarm.stop(),this.keepAlive.clear(),this.runs.close(e),this.gates.close(),this.
waits.rejectAll(e),this.listeners.clear(),this.sessionData.clear(),this.contexts.clear(),this.hosts.elsewhere.clear(),this.
wakes.clear(),this.signals.clear()}};function bi(t){return()=>t.deref()?.runtime?.tick()}i(bi,"tickThrough");var ho=["spawnSubAgent","spawnBackgroundSubAgent","checkConsumerSpawn","canSpawn","getConcurrencyInfo","getModelId","onE\
rror","countTokens","onWake"],yi=["agents","bus","mainLimits","modelId","policies","preset","profiles","retry","tools"];
function go(t,e,n,r){let{functions:o,bounds:s,settings:a,tools:u,agents:d,profiles:c,policies:f,mainLimits:l,bus:m}=v("t\
he options of a manager",()=>wi(e)),p=new On(t,o,n);p.agents=d,p.profiles=c,m!==void 0&&(p.functions.onWake=Er(m,h=>{p.isClosed||
p.report(h)}));try{r?.begin(p),s.apply(p,a),p.gates=new be(p,f,l),p.contexts.matter&&p.call(y=>y.tellForgotten());let{blockedTools:h}=p.
gates.sub;h.length>0&&p.order(y=>y.blockTools(b(),[...h])),u!==void 0&&p.order(y=>y.setTools(b(),y.defaultSession(),u))}catch(h){
throw p.dispose(),h}return p}i(go,"open");function wi(t){let e=O("the options of a manager",t),n={},r=new an,o={},s,a=new me(
e.agents),u=new pe(e.profiles),d={},c,f={};for(let[l,m]of Object.entries(e))if(!(m===void 0||l==="agents"||l==="profiles")){
if(ho.includes(l)){if(typeof m!="function")throw g(`\`${l}\``,"a function",m);n[l]=l==="onWake"?le(m):m}else if(!r.take(
l,m))if(l==="retry")o.retry=nn(l,m);else if(l==="bus"){if(e.onWake!==void 0)throw G("`bus` and `onWake`",l);c=Ir(m)}else if(l===
"modelId"){let p=D("`modelId`",m);if(e.getModelId!==void 0)throw G("`modelId` and `getModelId`",l);n.getModelId=()=>p}else if(l===
"tools")s=q("`tools`",m);else if(l==="policies")d=ki(m);else if(l==="mainLimits")f=Si("mainLimits",m);else throw xe("a m\
anager",l,[...ho,...br,...yi])}return a.checkProfiles(u),{functions:n,bounds:r,settings:o,tools:s,agents:a,profiles:u,policies:d,
mainLimits:f,bus:c}}i(wi,"read");function ki(t){if(Array.isArray(t))throw g("`policies`","an object with subAgents or ma\
in",t);let{subAgents:e,main:n,...r}=O("`policies`",t);return J("policies",r,["subAgents","main"]),{...e!==void 0&&{subAgents:e},
...n!==void 0&&{main:n}}}i(ki,"policySets");function Si(t,e){let{maxTurns:n,maxContextTokens:r,timeoutMs:o,...s}=O(`\`${t}\
\``,e);J(t,s,["maxTurns","maxContextTokens","timeoutMs"]);let a={},u=R(`\`${t}.maxTurns\``,n),d=R(`\`${t}.maxContextToke\
ns\``,r),c=ae(`\`${t}.timeoutMs\``,o);return u!==void 0&&(a.maxTurns=u),d!==void 0&&(a.maxContextTokens=d),c!==void 0&&(a.
timeoutMs=c),a}i(Si,"mainLimitsOf");function lm(t,e){return go(t,e,(n,r)=>new Xe(n,r))}i(lm,"open");export{mn as Door,Nr as ENDED,Cd as MOVED,_d as PENDING,yd as abortRun,Od as askDone,Cr as attach,Ed as consumerGate,B as enter,
Pd as facts,Mr as isInside,U as leave,Id as makeTool,lm as open,xd as policiesDue,it as release,jd as runEnded,bd as runRetried,
gd as startRun,vd as startsStopped,Sd as taskClosed,kd as taskForgotten,wd as turnReady,Rd as waitDone,Td as wakeAt,Ad as wakeSession};
